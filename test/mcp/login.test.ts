import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import { McpClient, terminalAuth } from 'lena-agent/mcp'
import type { McpError, McpLogin } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { authorizationServer } from './support/authorization-server.ts'

/** A client whose user agrees at once: the browser follows the page to where it leads. */
async function clientOf(url: string, store?: { load(): McpLogin | undefined; save(login: McpLogin): void }): Promise<McpClient> {
  const auth = await terminalAuth({ openUrl: (page) => void fetch(page).catch(() => {}), ...(store && { store }) })
  const client = new McpClient({ url, name: 'guarded', auth })
  onTestFinished(async () => {
    await client.close()
    auth.close()
  })
  return client
}

const outcome = { status: 'success', content: [{ type: 'text', text: 'Come in.' }] }

describe('a login with an authorization server', () => {
  it('registers, asks the user, and takes a token for the code and its verifier', async () => {
    const { url, steps } = await authorizationServer()
    const client = await clientOf(url)
    expect(await client.callTool('enter')).toEqual(outcome)
    expect(steps).toEqual(['register', 'authorize', 'authorization_code'])
    expect(await client.callTool('enter')).toEqual(outcome)
    expect(steps).toHaveLength(3)
  })

  it('is kept, and used by the next process', async () => {
    const { url, steps } = await authorizationServer()
    let kept: McpLogin | undefined
    const store = { load: () => kept, save: (login: McpLogin) => void (kept = JSON.parse(JSON.stringify(login)) as McpLogin) }
    await (await clientOf(url, store)).connect()
    expect(await (await clientOf(url, store)).callTool('enter')).toEqual(outcome)
    expect(steps).toEqual(['register', 'authorize', 'authorization_code'])
  })

  it('that has expired in the middle is refreshed, and nobody is asked', async () => {
    const { url, steps, expire } = await authorizationServer()
    const client = await clientOf(url)
    await client.callTool('enter')
    expire()
    expect(await client.callTool('enter')).toEqual(outcome)
    expect(steps.slice(3)).toEqual(['refresh_token'])
  })

  it('that has expired is refreshed for calls that find it out together, and nobody is asked', async () => {
    const { url, steps, expire } = await authorizationServer()
    const client = await clientOf(url)
    await client.callTool('enter')
    expire()
    expect(await Promise.all([1, 2, 3, 4].map(() => client.callTool('enter')))).toEqual([outcome, outcome, outcome, outcome])
    expect(new Set(steps.slice(3))).toEqual(new Set(['refresh_token']))
  })

  it('that was revoked is asked for once by calls that find it out together, and they are sent again', async () => {
    const { url, steps, revoke } = await authorizationServer()
    const client = await clientOf(url)
    await client.callTool('enter')
    revoke()
    expect(await Promise.all([1, 2, 3, 4].map(() => client.callTool('enter')))).toEqual([outcome, outcome, outcome, outcome])
    expect(steps.slice(3)).toEqual(['refresh_token', 'authorize', 'authorization_code'])
  })

  it('that the user does not want ends in an error, and leaves the agent usable', async () => {
    const { url } = await authorizationServer()
    const auth = await terminalAuth({ openUrl: () => Promise.reject(new Error('No, thanks.')) })
    onTestFinished(() => auth.close())
    const client = new McpClient({ url, name: 'guarded', auth, failOpen: true })
    const agent = new Agent({ model: scriptedModel({ text: 'ok' }), tools: [client] })
    onTestFinished(() => agent.close())
    const warnings: string[] = []
    const result = await agent.invoke('go', { onEvent: (event) => void (event.type === 'warning' && warnings.push(event.message)) })
    expect([result.text, warnings]).toEqual(['ok', ['The MCP server "guarded" could not be started: No, thanks.']])
  })
})

describe('a login that goes wrong', { timeout: 60_000 }, () => {
  const failureOf = async (client: McpClient): Promise<unknown> => await client.connect().catch((error: unknown) => error)

  it('at a server that is another than it says is refused before anybody is asked', async () => {
    const { url, steps } = await authorizationServer({ resource: 'https://bank.example/mcp' })
    expect(await failureOf(await clientOf(url))).toMatchObject({
      name: 'McpError',
      code: 'mcp_start_failed',
      message: expect.stringContaining('https://bank.example/mcp') as string,
    })
    expect(steps).toEqual([])
  })

  it.each(['refused', 'none'] as const)('because nobody is registered (%s) is named, with what to do', async (registration) => {
    const { url, steps } = await authorizationServer({ registration })
    const error = (await failureOf(await clientOf(url))) as McpError
    expect([error.code, steps]).toEqual(['mcp_start_failed', registration === 'refused' ? ['register'] : []])
    expect(error.message).toMatch(registration === 'refused' ? /Nobody is registered here\./ : /registration/)
    expect(error.message).toContain('Give it a client that the authorization server knows')
  })

  it('with a token for somebody else ends, however often it is given', async () => {
    const { url, steps } = await authorizationServer({ takesNone: true })
    expect(await failureOf(await clientOf(url))).toMatchObject({ code: 'mcp_unauthorized' })
    expect(steps.filter((step) => step === 'authorize').length).toBeLessThanOrEqual(3)
  })

  it('not because the authorization server is another host: it gets no access token', async () => {
    const { url, steps } = await authorizationServer({ elsewhere: true })
    const client = await clientOf(url)
    expect(await client.callTool('enter')).toEqual(outcome)
    expect(steps).toEqual(['register', 'authorize', 'authorization_code'])
  })
})
