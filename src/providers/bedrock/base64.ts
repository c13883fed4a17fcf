/** The bytes that a base64 text stands for; nothing when it is none. */
export function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

export function base64Of(bytes: Uint8Array): string {
  let binary = ''
  // In pieces: the arguments of one call are limited.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary)
}
