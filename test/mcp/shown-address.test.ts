import { expect, it } from 'vitest'
import { loadMcpConfig, McpClient } from 'lena-agent/mcp'

it.each([
  ['ftp://x', 'ftp://x'],
  ['example.com', 'example.com'],
  ['ftp://u:s3cret@x.example/a?t=s3cret', 'ftp://***@x.example/a?***'],
  ['u:s3cret@x.example', 'u:***@x.example'],
  ['ws:/u:s3cret@x.example', 'ws:/***@x.example'],
  ['ws://x.example/s3cret0123456789abcdef/mcp#s3cret', 'ws://x.example/***/mcp#***'],
])('an address that cannot be used is named without what one is let in with: %s', async (url, shown) => {
  const said = `must be an http or https URL, got ${JSON.stringify(shown)}.`
  expect(() => new McpClient({ url })).toThrow(said)
  const text = JSON.stringify({ mcpServers: { a: { url: '${WHERE}' } } })
  await expect(loadMcpConfig('mcp.json', { text, env: { WHERE: url } })).rejects.toThrow(said)
})
