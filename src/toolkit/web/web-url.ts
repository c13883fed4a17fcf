const maxChars = 4000

/**
 * The address of a page as a model wrote it, without the part behind `#`, which is never sent.
 *
 * @throws {Error} for what is no address of a page, and for one with a name and a password in it.
 */
export function webUrl(given: string): URL {
  if (typeof given !== 'string' || given.trim() === '') throw new Error('The address is empty. Give one such as https://example.com/page.')
  if (given.length > maxChars) throw new Error(`The address has ${given.length} characters; ${maxChars} are allowed.`)
  const shown = JSON.stringify(given)
  let url: URL
  try {
    url = new URL(given)
  } catch {
    throw new Error(`${shown} is no address of a page. Write it whole, such as https://example.com/page.`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${shown} begins with "${url.protocol}". Only http: and https: are fetched; a file is read with read_file.`)
  if (url.username !== '' || url.password !== '')
    throw new Error(`The address of a page at ${url.host} holds a user name or a password. Leave them out: they would be sent and stored.`)
  url.hash = ''
  return url
}

/** Without the dot at its end, which changes nothing, and without the brackets of IPv6. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/\.+$/, '').replace(/^\[(.*)\]$/, '$1')

/** Names that lead to this computer or its network, whatever answers there. */
export const isLocalName = (host: string): boolean =>
  !host.includes('.') || /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/.test(host)
