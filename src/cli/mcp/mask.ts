import { quoted } from './describe-server.ts'
import { isObject } from './servers-in.ts'

const masked = '***'
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g
const secretName = /key|token|secret|password|passwd|auth|credential|bearer|cookie|session/i
/** Long and of letters and figures: nobody calls a file or a package like this. */
const secretShape = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+/=.-]{28,}$|^(sk|pk|gh[a-z]|xox[a-z]|glpat|hf|AKIA|AIza|eyJ)[-_A-Za-z0-9]{12,}/

/** `postgres://user:password@host` as well. */
const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i

/** A server as it may be shown on a screen that others see: what it is, without what it is let in with. */
export type MaskedServer = {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly url?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export function maskServer(server: unknown): MaskedServer {
  const { command, args, url, env, headers } = isObject(server) ? server : {}
  return {
    ...(typeof command === 'string' && { command }),
    ...(Array.isArray(args) && { args: maskArgs(args) }),
    ...(typeof url === 'string' && { url: maskUrl(url) }),
    ...(isObject(env) && { env: maskValues(env) }),
    ...(isObject(headers) && { headers: maskValues(headers) }),
  }
}

/** The same in one line. */
export function maskedLine(server: unknown): string {
  const { command, args = [], url, env, headers } = maskServer(server)
  const beside = Object.entries({ ...env, ...headers }).map(([key, value]) => `${key}=${value}`)
  const what = command === undefined ? (url ?? '') : [command, ...args].map(quoted).join(' ')
  return [what, ...beside].filter((part) => part !== '').join('  ')
}

const maskValues = (map: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, maskValue(value)]))

/** Which variable a value comes from is no secret; a text that stands in for it, or beside it, may be. */
function maskValue(value: unknown): string {
  const names = [...String(value).matchAll(reference)].map(([, name]) => `\${${name}}`)
  const isAllReferences = names.length > 0 && String(value).replaceAll(reference, '') === ''
  return isAllReferences ? names.join('') : `${masked}${names.join('')}`
}

/** `--api-key VALUE`, `--api-key=VALUE`, `--header "Authorization: VALUE"`, and what looks like a key wherever it stands. */
function maskArgs(args: readonly unknown[]): readonly string[] {
  let isSecret = false
  return args.map((item) => {
    const word = maskDefaults(String(item))
    const [, name, value] = /^(-{0,2}[\w.-]+)[=:]\s*(.+)$/s.exec(word) ?? []
    const was = isSecret
    isSecret = word.startsWith('-') && value === undefined && (secretName.test(word) || /^(-H|--header)$/.test(word))
    if (was && !word.startsWith('-')) return maskValue(word)
    if (name !== undefined && value !== undefined && (secretName.test(name) || secretShape.test(value)))
      return `${word.slice(0, word.length - value.length)}${maskValue(value)}`
    if (isAddress.test(word)) return maskUrl(word)
    if (value !== undefined && isAddress.test(value)) return `${word.slice(0, word.length - value.length)}${maskUrl(value)}`
    return secretShape.test(word) && !word.startsWith('@') && !word.includes('/') ? masked : word
  })
}

/** A password, the values of the query, and a part of the path that looks like a key. */
function maskUrl(text: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(maskDefaults(text)) ?? []
  // What has not the shape of an address may have a password anywhere before its last "@".
  if (scheme === '' || authority === '') return maskOdd(`${scheme}${authority}${path}`, query)
  const host = authority.includes('@') ? `${masked}@${authority.slice(authority.lastIndexOf('@') + 1)}` : authority
  return `${scheme}${host}${maskPath(path)}${maskQuery(query)}`
}

const maskOdd = (text: string, query: string): string =>
  `${maskPath(text.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, `$1${masked}@`))}${maskQuery(query)}`

const maskPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (secretShape.test(part) ? masked : part))
    .join('/')

/** `?key=***&other=***`; without a name, it may be a key itself. */
const maskQuery = (query: string): string =>
  query.replaceAll(/([?&])([^=&]*=)?[^&]*/g, (_, mark: string, name = '') => `${mark}${name}${masked}`)

/** What stands in for a variable whose name or whose value is one of a secret. */
const maskDefaults = (text: string): string =>
  text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*):-([^}]*)\}/g, (all, name: string, value: string) =>
    secretName.test(name) || secretShape.test(value) ? `\${${name}:-${masked}}` : all,
  )
