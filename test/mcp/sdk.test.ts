import { expect, it } from 'vitest'
import { loadClientSdk, loadServerSdk } from '../../src/mcp/sdk.ts'

const absent = (): Promise<never> => Promise.reject(new Error('Cannot find package'))

it('a library that is not installed is named', async () => {
  await expect(loadClientSdk(absent)).rejects.toMatchObject({
    name: 'McpError',
    code: 'package_missing',
    message:
      'Could not load the package @modelcontextprotocol/client, which talks to MCP servers. Install it: npm install @modelcontextprotocol/client',
  })
  await expect(loadServerSdk(absent)).rejects.toThrow('Install it: npm install @modelcontextprotocol/server')
})
