/** What Windows-1252 has where Latin-1 has controls. The decoder of Node takes the one for the other. */
const differing = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The character of a number from 128 to 159. */
export const windowsChar = (code: number): string => differing[code - 0x80]!

export const decodeWindows = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (char) => windowsChar(char.charCodeAt(0)))
