// @ts-check
/** A server of MCP with one tool, which answers with the `_meta` of its call. */
import { createInterface } from 'node:readline'

const send = (/** @type {unknown} */ id, /** @type {object} */ answer) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize')
    send(id, { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'meta', version: '1' } } })
  else if (method === 'tools/list')
    send(id, { result: { tools: [{ name: 'show_meta', description: 'Works.', inputSchema: { type: 'object', properties: {} } }] } })
  else if (method === 'tools/call')
    send(id, { result: { content: [{ type: 'text', text: JSON.stringify(params._meta) }], isError: params.arguments.fail === true } })
  else send(id, { error: { code: -32_601, message: 'There is no such method.' } })
})
