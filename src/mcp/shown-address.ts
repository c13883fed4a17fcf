/** Long and of letters and figures. */
const secretShape = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+=.-]{20,}$/

/**
 * An address that cannot be used, for the error that says so: without what one is let in with. It need not have the shape of an
 * address, so all before the last "@" goes.
 */
export function shownAddress(address: unknown): string {
  const [, plain = '', mark = ''] = /^([^?#]*)([?#])?/s.exec(String(address)) ?? []
  const known = plain.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, '$1***@')
  const parts = known.split('/').map((part) => (secretShape.test(part) ? '***' : part))
  return JSON.stringify(`${parts.join('/')}${mark === '' ? '' : `${mark}***`}`)
}
