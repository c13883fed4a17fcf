import type { McpElicitation, McpElicitationAnswer } from '../../mcp/index.ts'
import { visible } from '../trust/visible.ts'
import { choose } from './form.ts'
import { headOf } from './head.ts'
import type { Sitting } from './sitting.ts'

/** More of an address nobody reads; that there is more stands in plain sight. */
const mostChars = 2000

/**
 * Shows the page that a server wants visited, its host first, and waits for the person to say that they were there. It is never opened:
 * the address comes from the server, and a terminal may be far from the browser.
 */
export async function askPage(question: McpElicitation & { readonly mode: 'url' }, sitting: Sitting): Promise<McpElicitationAnswer> {
  const { style } = sitting
  const url = URL.canParse(question.url) ? new URL(question.url) : undefined
  const isPage = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isPage) {
    const why = `It names no page of the web, so it is declined: ${visible(question.url, 200)}`
    sitting.say(`${headOf(question, sitting)}${sitting.rows(why, { first: '    ', paint: style.yellow })}`)
    return { action: 'decline' }
  }
  const lines = [
    `${style.dim('host:')} ${style.bold(visible(url.host, 300))}`,
    ...warningsOf(url).map((warning) => style.yellow(warning)),
    `${style.dim('page:')} ${visible(url.href, mostChars)}`,
    style.dim('Open it yourself, if you know that host. It is for you alone: what you do there Lena does not see.'),
  ]
  const text = `${headOf(question, sitting)}${lines.map((line) => `    ${line}\n`).join('')}`
  const chosen = await choose(sitting, text, { 'yes, I was there': 'accept', decline: 'decline', cancel: 'cancel' } as const)
  return { action: chosen ?? 'cancel' }
}

/** What an address is often made of that is to be taken for another one. */
function warningsOf(url: URL): readonly string[] {
  const { protocol, hostname, username, password } = url
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return [
    ...(username !== '' || password !== '' ? ['There is a name before its host: what stands before "@" is not where it leads.'] : []),
    ...(/(?:^|\.)xn--/.test(hostname) ? ['Its host has letters that can look like others.'] : []),
    ...(protocol === 'http:' && !isHere ? ['It is not encrypted (http).'] : []),
  ]
}
