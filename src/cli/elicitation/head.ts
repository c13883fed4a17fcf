import type { McpElicitation } from '../../mcp/index.ts'
import { visible } from '../trust/visible.ts'
import type { Sitting } from './sitting.ts'

/** Lines of a message that are shown. */
const mostLines = 20

/** Who asks, and what for. The message is the server's, and each row of it says so: none can pass for one of Lena's. */
export function headOf({ server, message }: McpElicitation, sitting: Sitting): string {
  const { style } = sitting
  const lines = message.trim().split(/\r\n|\r|\n/)
  const more = lines.length - mostLines
  const said = lines.slice(0, mostLines).map((line) => sitting.rows(visible(line), { first: '  | ' }))
  const cut = `${style.ellipsis} ${more} more ${more === 1 ? 'line' : 'lines'}, not shown`
  return `${style.yellow('?')} The MCP server ${style.bold(visible(server, 80))} asks you:\n${said.join('')}${more > 0 ? sitting.rows(cut, { first: '  | ', paint: style.yellow }) : ''}`
}
