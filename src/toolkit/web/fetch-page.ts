import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../util/clock.ts'
import { withinTime } from './within-time.ts'
import { textOfBytes } from './decode.ts'
import { placesFor } from './guard.ts'
import type { AllowedHosts, Resolve } from './guard.ts'
import { htmlToText } from './html/to-text.ts'
import { proxyFor } from './proxy.ts'
import type { Environment } from './proxy.ts'
import { codings, readBody } from './read-body.ts'
import { send } from './send.ts'
import { fromTheWeb, visible } from './untrusted.ts'
import { bareHost, webUrl } from './web-url.ts'

export type FetchOptions = {
  readonly allowPrivate: AllowedHosts
  readonly resolve: Resolve
  readonly env: Environment
  readonly clock: Clock
  readonly signal: AbortSignal
}

export const fetchSeconds = 30
/** Bytes of a page, out of its compression. */
export const maxPageBytes = 5 * 1024 * 1024
const maxHops = 5
const maxTextChars = 1_000_000
/** How long a page may take to be made text. */
const textMs = 2000
const maxErrorChars = 2000

const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; lena-agent)',
  accept:
    'text/html, application/xhtml+xml, text/markdown, text/plain, application/json;q=0.9, application/xml;q=0.8, text/*;q=0.7, */*;q=0.1',
  'accept-language': 'en, *;q=0.5',
  'accept-encoding': codings,
}

type Answer = { readonly url: URL; readonly message: IncomingMessage } | { readonly url: URL; readonly elsewhere: URL }

/**
 * A page as text for a model. Of a redirect to another host only the address is given: what was allowed was this host.
 *
 * @throws {Error} for the model: what went wrong, and what to do.
 */
export async function fetchPage(given: string, options: FetchOptions): Promise<string> {
  const url = webUrl(given)
  return await withinTime(fetchSeconds, `${url.host} did not send the page`, options, async (signal) => {
    const answer = await follow(url, { ...options, signal })
    if ('elsewhere' in answer)
      return `[${shown(answer.url)} leads to another host, ${shown(answer.elsewhere)} – it was not followed. Call web_fetch with that address if it is wanted.]`
    return await textOf(answer.url, answer.message, options.clock, signal)
  })
}

async function follow(start: URL, options: FetchOptions): Promise<Answer> {
  let url = start
  for (let hops = 0; ; hops++) {
    const message = await ask(url, options)
    const to = redirectOf(message, url)
    if (!to) return { url, message }
    message.destroy()
    if (!isSameHost(url, to)) return { url, elsewhere: to }
    if (hops >= maxHops) throw new Error(`${shown(start)} was redirected more than ${maxHops} times, at last to ${shown(to)}.`)
    url = to
  }
}

/** The same host and port, or from http to https on the usual ones. */
const isSameHost = (from: URL, to: URL): boolean =>
  bareHost(from) === bareHost(to) && from.port === to.port && (from.protocol === to.protocol || to.protocol === 'https:')

/** One request, to an address that was looked at. */
async function ask(url: URL, { allowPrivate, resolve, env, signal }: FetchOptions): Promise<IncomingMessage> {
  const proxy = proxyFor(url, env)
  const addresses = await placesFor(url, { allowPrivate, resolve, byProxy: proxy !== undefined, signal })
  try {
    return await send({ url, headers, addresses, proxy, signal })
  } catch (error) {
    if (signal.aborted) throw error
    throw new Error(
      `${url.host} could not be reached${proxy ? ` through the proxy ${proxy.host}` : ''}: ${(error as Error).message || codeOf(error)}`,
      { cause: error },
    )
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'no reason was given'

/** @throws {Error} when what it names is no address of a page. */
function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined
  if (!URL.canParse(location, from.href)) throw new Error(`${shown(from)} leads to ${JSON.stringify(location)}, which is no address.`)
  return webUrl(new URL(location, from).href)
}

async function textOf(url: URL, message: IncomingMessage, clock: Clock, signal: AbortSignal): Promise<string> {
  const contentType = message.headers['content-type'] ?? ''
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  const { statusCode = 0, statusMessage } = message
  const isGood = statusCode >= 200 && statusCode < 300
  if (isGood && type !== '' && !isText(type)) {
    message.destroy()
    throw new Error(
      `${shown(url)} is ${visible(type).slice(0, 100)}, and only text is fetched: HTML, plain text, JSON, XML and their like.`,
    )
  }
  const { bytes, isCut } = await readBody(message, isGood ? maxPageBytes : 64 * 1024, signal)
  if (isGood && type === '' && bytes.subarray(0, 8192).includes(0)) throw new Error(`${shown(url)} is no text, and its type is not told.`)
  const raw = type === '' || isText(type) ? textOfBytes(bytes, contentType) : ''
  const isHtml = /html/.test(type) || (type === '' && /^\s*<(!doctype html|html|head|body)/i.test(raw))
  const until = clock.now() + textMs
  const page = isHtml
    ? htmlToText(raw, { base: url, isLate: () => clock.now() > until, maxChars: maxTextChars })
    : { title: '', text: raw.slice(0, maxTextChars), isCut: raw.length > maxTextChars }
  if (!isGood) {
    const status = `${statusCode}${statusMessage ? ` ${visible(statusMessage).slice(0, 100)}` : ''}`
    const said = page.text.slice(0, maxErrorChars).trim()
    throw new Error(`${shown(url)} answered ${status}.${said === '' ? '' : `\n${fromTheWeb(`Address: ${shown(url)}`, said)}`}`)
  }
  const notes = isCut || page.isCut ? '\n[The page is longer: this is its beginning.]' : ''
  const text = page.text.trim() === '' ? '(no text)' : page.text
  return fromTheWeb(`Address: ${shown(url)}`, `${page.title === '' ? '' : `Title: ${page.title}\n\n`}${text}`) + notes
}

const isText = (type: string): boolean =>
  type.startsWith('text/') ||
  /^application\/(([\w.-]+\+)?(json|xml|yaml)|(x-)?(ndjson|jsonlines|javascript|ecmascript|yaml|toml|sh|sql|httpd-php)|json5|graphql|xhtml\+xml|typescript)$/.test(
    type,
  )

const shown = (url: URL): string => visible(url.href)
