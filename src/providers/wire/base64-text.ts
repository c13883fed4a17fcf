/**
 * The text that base64 stands for, also in the form for URLs. What is no base64 was meant as it is: a history must stay sendable,
 * whoever wrote it.
 */
export function base64Text(base64: string): string {
  try {
    const plain = base64.replaceAll('-', '+').replaceAll('_', '/')
    return new TextDecoder().decode(Uint8Array.from(atob(plain), (char) => char.charCodeAt(0)))
  } catch {
    return base64
  }
}
