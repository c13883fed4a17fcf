const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The id itself where it is nine letters and digits; otherwise nine that are made of it, always the same ones, so that a
 * call and its result still belong together.
 */
export function alphanumericId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  // FNV-1a over 64 bits: some 10^15 ids, of which a conversation has a few hundred.
  let hash = 0xcbf29ce484222325n
  for (let i = 0; i < id.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(i))) * 0x100000001b3n)
  let made = ''
  for (let i = 0; i < 9; i++) {
    made += alphabet[Number(hash % 62n)]!
    hash /= 62n
  }
  return made
}
