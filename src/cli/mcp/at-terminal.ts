import { LineReader } from '../line-reader.ts'
import type { Stop } from '../stop.ts'
import { styleFor } from '../style.ts'
import { askTrustAtTerminal } from '../trust/ask-trust.ts'
import type { AskTrust } from '../trust/ask-trust.ts'
import { visible } from '../trust/visible.ts'
import type { McpRun } from './command.ts'
import { quoted } from './describe-server.ts'

/** What only a person at the terminal can do; `undefined` where there is none. */
export type Person = { readonly ask: AskTrust; readonly openUrl: (server: string) => (url: URL) => void }

export function personAt({ io, out, err, mcp }: McpRun, stop: Stop): Person | undefined {
  const [to, stream] = out.isTTY ? [out, io.stdout] : [err, io.stderr]
  if (!io.stdin.isTTY || !to.isTTY || mcp.json) return undefined
  const ask = askTrustAtTerminal({
    reader: new LineReader(io.stdin, stream, { env: io.env, suspend: io.suspend, onSuspend: io.onSuspend }),
    to,
    held: [out, err],
    style: styleFor(stream, io.env),
    interrupt: () => stop.interrupt(),
  })
  // An address is printed, not opened: it comes from the server, and a terminal may be far from the browser.
  const openUrl = (server: string) => (url: URL) => {
    to.freshLine()
    to.line(`Open this page to log in to ${visible(quoted(server))} (Ctrl-C gives up):\n  ${url.href}`)
  }
  return { ask, openUrl }
}
