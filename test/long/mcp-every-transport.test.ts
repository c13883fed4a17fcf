import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Agent, answer, check } from 'lena-agent'
import type { AgentEvent, ToolResultBlock } from 'lena-agent'
import type { McpClient, McpClientSettings } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import type { ScriptedModel, ScriptStep } from 'lena-agent/testing'
import { patientClock } from '../support/patient-clock.ts'
import { oddClientOver, transports } from '../mcp/support/bridge.ts'
import { linesOf, tempFolder } from '../mcp/support/odd.ts'
import type { Oddity } from '../mcp/support/odd.ts'

const seconds = 1000
const inTime = 120 * seconds

/** Agents are used on after whatever a server does: each test ends with a call that is answered. */
describe.each(transports)('a server over %s', (over) => {
  const clientOf = (oddity: Oddity = {}, settings: McpClientSettings = {}): Promise<McpClient> => oddClientOver(over, oddity, settings)

  const call = (name: string, input: object = {}): ScriptStep => ({ calls: [{ name, input: input as never }] })
  const echo = call('echo', { n: 1 })
  const done: ScriptStep = { text: 'ok' }

  function agentOf(client: McpClient, ...steps: ScriptStep[]): { readonly agent: Agent; readonly model: ScriptedModel } {
    const model = scriptedModel(...steps)
    const agent = new Agent({ model, tools: [client] })
    onTestFinished(() => agent.close())
    return { agent, model }
  }

  const resultsOf = (agent: Agent): readonly ToolResultBlock[] =>
    agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
  const saidBy = (agent: Agent): readonly string[] => resultsOf(agent).map(({ content }) => (content[0] as { text: string }).text)
  const outcomes = (agent: Agent) => resultsOf(agent).map(({ status, code }) => [status, code].filter(Boolean).join(' '))

  it('that dies in a call is begun anew for the next', { timeout: inTime }, async () => {
    const starts = join(await tempFolder(), 'starts')
    const { agent } = agentOf(await clientOf({ starts }), call('crash'), echo, done)
    expect((await agent.invoke('go')).text).toBe('ok')
    expect(outcomes(agent)).toEqual(['error', 'success'])
    expect(saidBy(agent)[0]).toMatch(
      over === 'stdio'
        ? /^McpError: The MCP server "odd" ended with exit code 7\. It said last:\nout of cheese$/
        : over === 'http'
          ? /^McpError: The connection to the MCP server "odd" broke/
          : /^McpError: The MCP server "odd" closed the connection\.$/,
    )
    expect(saidBy(agent)[1]).toBe('{"n":1}')
    expect([await linesOf(starts).then(({ length }) => length), check(agent.messages)]).toEqual([2, []])
  })

  it('serves two agents by one connection, until the last of them is closed', { timeout: inTime }, async () => {
    const starts = join(await tempFolder(), 'starts')
    const client = await clientOf({ starts })
    const one = agentOf(client, call('echo', { n: 1 }), call('progress', { steps: 2, everyMs: 1 }), done).agent
    const two = agentOf(client, call('echo', { n: 2 }), done, call('echo', { n: 3 }), done).agent
    await Promise.all([one.invoke('go'), two.invoke('go')])
    expect([saidBy(one), saidBy(two)]).toEqual([['{"n":1}', 'done'], ['{"n":2}']])
    await one.close()
    expect((await two.invoke('again')).text).toBe('ok')
    expect(saidBy(two)).toEqual(['{"n":2}', '{"n":3}'])
    expect(await linesOf(starts)).toHaveLength(1)
    await two.close()
    expect(client.serverInfo.name).toBeUndefined()
  })

  it('fails both of two agents when it dies, and serves both again', { timeout: inTime }, async () => {
    const client = await clientOf()
    await client.connect()
    const one = agentOf(client, call('never'), echo, done).agent
    const two = agentOf(client, call('crash'), echo, done).agent
    const waits = new Promise<void>((resolve) => {
      const running = one.invoke('go', { onEvent: (event) => void (event.type === 'tool_start' && resolve()) })
      onTestFinished(() => running.then(() => {}))
    })
    await waits
    // What is answered was sent later.
    await client.callTool('echo')
    expect((await two.invoke('go')).text).toBe('ok')
    await vi.waitUntil(() => resultsOf(one).length === 2, { timeout: inTime, interval: 10 })
    expect([outcomes(one), outcomes(two)]).toEqual([
      ['error', 'success'],
      ['error', 'success'],
    ])
  })

  it('that never answers a call is given up when its time is up', { timeout: inTime }, async () => {
    const { clock, limits } = patientClock()
    const client = await clientOf({}, { clock })
    await client.connect()
    const { agent } = agentOf(client, call('never'), echo, done)
    await timeUp(limits, (onEvent) => agent.invoke('go', { onEvent }))
    expect(outcomes(agent)).toEqual(['error timeout', 'success'])
    expect(saidBy(agent)[0]).toContain('was silent for 60000 ms during the call of never')
    expect(check(agent.messages)).toEqual([])
  })

  it('that answers when its time is over is not heard, and used on', { timeout: inTime }, async () => {
    const { clock, limits } = patientClock()
    const heard = join(await tempFolder(), 'heard')
    const tools = ['late', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    const client = await clientOf({ heard, tools }, { clock })
    await client.connect()
    const { agent } = agentOf(client, call('late'), echo, done)
    await timeUp(limits, (onEvent) => agent.invoke('go', { onEvent }))
    expect([outcomes(agent), saidBy(agent)[1]]).toEqual([['error timeout', 'success'], '{"n":1}'])
    await vi.waitUntil(async () => (await linesOf(heard)).some((line) => line.startsWith('notifications/cancelled')), {
      timeout: inTime,
      interval: 10,
    })
  })

  it('that never answers at all is gone without', { timeout: inTime }, async () => {
    const { clock, limits } = patientClock()
    const { agent, model } = agentOf(await clientOf({ silentStart: true }, { clock, failOpen: true }), done, done)
    const warnings: string[] = []
    let isDone = false
    const running = agent
      .invoke('go', { onEvent: (event) => void (event.type === 'warning' && warnings.push(event.code)) })
      .finally(() => (isDone = true))
    // There may be several ways to try.
    while (!isDone) {
      await vi.waitUntil(() => isDone || limits.sleeping > 0, { timeout: inTime, interval: 10 })
      await limits.advance(30 * seconds)
    }
    expect([(await running).text, warnings, model.requests[0]!.tools]).toEqual(['ok', ['mcp_unavailable'], []])
  })

  it('is told of a cancel', { timeout: inTime }, async () => {
    const heard = join(await tempFolder(), 'heard')
    const client = await clientOf({ heard })
    await client.connect()
    const { agent } = agentOf(client, call('never'), echo, done)
    const controller = new AbortController()
    const running = agent.invoke('go', { signal: controller.signal, onEvent: whenCalled(client, () => controller.abort()) })
    expect((await running).stopReason).toBe('cancelled')
    expect((await agent.invoke('again')).text).toBe('ok')
    expect(outcomes(agent)).toEqual(['error cancelled', 'success'])
    await vi.waitUntil(async () => (await linesOf(heard)).some((line) => line.startsWith('notifications/cancelled')), {
      timeout: inTime,
      interval: 10,
    })
  })

  it('tells of its progress, in order', { timeout: inTime }, async () => {
    const { agent } = agentOf(await clientOf(), call('progress', { steps: 3, everyMs: 1 }), done)
    const told: unknown[] = []
    await agent.invoke('go', { onEvent: (event) => void (event.type === 'tool_progress' && told.push(event.value)) })
    expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })))
  })

  it('asks a person through an interrupt', { timeout: inTime }, async () => {
    const { agent } = agentOf(await clientOf({}, { elicitation: 'interrupt' }), call('ask'), echo, done)
    const first = await agent.invoke('go')
    expect(first.interrupts).toMatchObject([{ name: 'elicitation', reason: { mode: 'form', server: 'odd', message: 'Which?' } }])
    expect((await agent.invoke([answer(first.interrupts[0]!, { which: 'b' })])).text).toBe('ok')
    expect(saidBy(agent)).toEqual(['[{"action":"accept","content":{"which":"b","count":3}}]', '{"n":1}'])
  })

  const deep = (levels: number): object => (levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: deep(levels - 1) } })

  it('with bad tools among the good ones is used without them', { timeout: inTime }, async () => {
    const tools = [
      { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
      { name: 7, inputSchema: { type: 'object' } },
      { name: 'deep', inputSchema: deep(200) },
      { name: 'typed', inputSchema: { type: 'object', properties: { a: { type: 'dict' } } } },
      { name: 'a name/with signs', inputSchema: { type: 'object' } },
    ]
    const { agent, model } = agentOf(await clientOf({ tools }), echo, done)
    const warnings: string[] = []
    const result = await agent.invoke('go', { onEvent: (event) => void (event.type === 'warning' && warnings.push(event.code)) })
    expect([result.text, saidBy(agent)]).toEqual(['ok', ['{"n":1}']])
    expect(warnings).toEqual(['mcp_tool_skipped', 'mcp_tool_skipped', 'mcp_tool_skipped'])
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['a_name_with_signs', 'echo'])
  })
})

/** Runs it, and lets the time of its first call be up. */
async function timeUp(
  limits: ReturnType<typeof patientClock>['limits'],
  run: (onEvent: (event: AgentEvent) => void) => Promise<unknown>,
): Promise<void> {
  let isCalled = false
  const running = run((event) => void (isCalled ||= event.type === 'tool_start'))
  await vi.waitUntil(() => isCalled && limits.sleeping > 0, { timeout: inTime, interval: 10 })
  await limits.advance(60 * seconds)
  await running
}

/** Does it once the server has got the first call of an agent. */
const whenCalled = (client: McpClient, then: () => void) => (event: AgentEvent) => {
  // What is answered was sent later.
  if (event.type === 'tool_start') void client.callTool('echo').then(then)
}
