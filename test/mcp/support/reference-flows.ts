import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Agent, answer, check } from 'lena-agent'
import type { AgentEvent, ToolResultBlock } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import type { McpClientSettings } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import type { ScriptStep } from 'lena-agent/testing'
import { patientClock } from '../../support/patient-clock.ts'
import type { transports } from './bridge.ts'
import { linesOf, tempFolder } from './odd.ts'
import { end, everything, freePort, startEverything } from './reference.ts'

const inTime = 120_000

type Running = {
  readonly client: McpClient
  readonly kill: () => Promise<void>
  /** A program is started again by its client. */
  readonly restart: () => Promise<void>
}

/** The reference server and a client of it, gone when the test is over. */
async function start(over: (typeof transports)[number], settings: McpClientSettings = {}): Promise<Running> {
  const clientOf = (options: ConstructorParameters<typeof McpClient>[0]): McpClient => {
    const client = new McpClient({ ...options, name: 'everything', ...settings })
    onTestFinished(() => client.close())
    return client
  }
  if (over === 'stdio') {
    const pids = join(await tempFolder(), 'pids')
    const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n')`
    const program = {
      command: process.execPath,
      args: ['--import', `data:text/javascript,${encodeURIComponent(note)}`, everything, 'stdio'],
    }
    const kill = async (): Promise<void> => void process.kill(Number((await linesOf(pids)).at(-1)), 'SIGKILL')
    return { client: clientOf(program), kill, restart: async () => {} }
  }
  const port = await freePort()
  const mode = over === 'http' ? 'streamableHttp' : 'sse'
  let child = await startEverything(mode, port)
  return {
    client: clientOf({ url: `http://127.0.0.1:${port}/${over === 'http' ? 'mcp' : 'sse'}` }),
    kill: () => end(child),
    restart: async () => void (child = await startEverything(mode, port)),
  }
}

const call = (name: string, input: object = {}): ScriptStep => ({ calls: [{ name, input: input as never }] })
const echo = call('echo', { message: 'hello' })
const done: ScriptStep = { text: 'ok' }
/** Ten minutes long. */
const slowly = (steps: number): ScriptStep => call('trigger-long-running-operation', { duration: 600, steps })

function agentOf(client: McpClient, ...steps: ScriptStep[]): Agent {
  const agent = new Agent({ model: scriptedModel(...steps), tools: [client] })
  onTestFinished(() => agent.close())
  return agent
}

const resultsOf = (agent: Agent): readonly ToolResultBlock[] =>
  agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
const outcomes = (agent: Agent) => resultsOf(agent).map(({ status, code }) => [status, code].filter(Boolean).join(' '))
const saidBy = (agent: Agent): readonly string[] => resultsOf(agent).map(({ content }) => (content[0] as { text: string }).text)

/** Once, when it is told of such an event. */
function once(type: AgentEvent['type'], then: () => void): (event: AgentEvent) => void {
  let isDone = false
  return (event) => {
    if (isDone || event.type !== type) return
    isDone = true
    then()
  }
}

/** What an agent does with the reference server over this transport. */
export function referenceFlows(over: (typeof transports)[number]): void {
  describe(`the reference server over ${over}, used by an agent`, () => {
    it('is told of a cancel, and used on', { timeout: inTime }, async () => {
      const { client } = await start(over)
      const agent = agentOf(client, slowly(6000), echo, done)
      const controller = new AbortController()
      const cancelled = await agent.invoke('go', {
        signal: controller.signal,
        onEvent: once('tool_progress', () => controller.abort()),
      })
      expect(cancelled.stopReason).toBe('cancelled')
      expect((await agent.invoke('again')).text).toBe('ok')
      expect([outcomes(agent), saidBy(agent)[1]]).toEqual([['error cancelled', 'success'], 'Echo: hello'])
      expect(check(agent.messages)).toEqual([])
    })

    it('is killed in a call and started again, and used on', { timeout: inTime }, async () => {
      const { client, kill, restart } = await start(over)
      const agent = agentOf(client, slowly(6000), done, echo, done)
      const killed: Promise<void>[] = []
      // The call only reads, so it is made once more where a new connection stands: that one is killed too.
      const onEvent = (event: AgentEvent): void => {
        if (event.type === 'tool_progress' && (event.value as { progress: number }).progress === 1) killed.push(kill())
      }
      expect((await agent.invoke('go', { onEvent })).text).toBe('ok')
      await Promise.all(killed)
      expect(killed).toHaveLength(over === 'stdio' ? 2 : 1)
      expect(saidBy(agent)).toEqual([expect.stringMatching(/^McpError: .*MCP server "everything"/)])
      await restart()
      expect((await agent.invoke('again')).text).toBe('ok')
      expect([outcomes(agent), saidBy(agent)[1]]).toEqual([['error', 'success'], 'Echo: hello'])
      expect(check(agent.messages)).toEqual([])
    })

    it('is given up in a call that is silent for too long, and used on', { timeout: inTime }, async () => {
      const { clock, limits } = patientClock()
      const { client } = await start(over, { clock })
      await client.listTools()
      const agent = agentOf(client, slowly(1), echo, done)
      let isCalled = false
      const running = agent.invoke('go', { onEvent: once('tool_start', () => (isCalled = true)) })
      await vi.waitUntil(() => isCalled && limits.sleeping > 0, { timeout: inTime, interval: 10 })
      await limits.advance(60_000)
      expect((await running).text).toBe('ok')
      expect([outcomes(agent), saidBy(agent)[1]]).toEqual([['error timeout', 'success'], 'Echo: hello'])
      // A program that goes on with the call has to be ended by a signal, for which its client waits by this clock.
      let isClosed = false
      const closing = agent.close().then(() => (isClosed = true))
      while (!isClosed) {
        await vi.waitUntil(() => isClosed || limits.sleeping > 0, { timeout: inTime, interval: 10 })
        await limits.advance(1000)
      }
      await closing
    })

    it('serves two agents, until the last of them is closed', { timeout: inTime }, async () => {
      const { client } = await start(over)
      const sum = (a: number): ScriptStep => call('get-sum', { a, b: 1 })
      const one = agentOf(client, sum(1), sum(2), done)
      const two = agentOf(client, sum(3), done, echo, done)
      await Promise.all([one.invoke('go'), two.invoke('go')])
      expect([saidBy(one), saidBy(two)]).toEqual([['The sum of 1 and 1 is 2.', 'The sum of 2 and 1 is 3.'], ['The sum of 3 and 1 is 4.']])
      await one.close()
      expect((await two.invoke('again')).text).toBe('ok')
      expect(client.serverInfo.name).toBe('mcp-servers/everything')
      await two.close()
      expect(client.serverInfo.name).toBeUndefined()
    })

    it('asks a person through an interrupt', { timeout: inTime }, async () => {
      const { client } = await start(over, { elicitation: 'interrupt' })
      const agent = agentOf(client, call('trigger-elicitation-request'), echo, done)
      const asked = await agent.invoke('go')
      expect(asked.interrupts).toMatchObject([{ name: 'elicitation', reason: { mode: 'form', server: 'everything' } }])
      expect((await agent.invoke([answer(asked.interrupts[0]!, { name: 'Ada' })])).text).toBe('ok')
      expect(outcomes(agent)).toEqual(['success', 'success'])
      expect(JSON.stringify(resultsOf(agent)[0]!.content)).toContain('Ada')
    })

    it('runs a task that asks on the way', { timeout: inTime }, async () => {
      const asked: string[] = []
      const { client } = await start(over, {
        elicitation: ({ message }) => (asked.push(message), { action: 'accept', content: { interpretation: 'technical' } }),
      })
      const agent = agentOf(client, call('simulate-research-query', { topic: 'python', ambiguous: true }), echo, done)
      const told: unknown[] = []
      await agent.invoke('go', { onEvent: (event) => void (event.type === 'tool_progress' && told.push(event.value)) })
      expect([outcomes(agent), asked.length]).toEqual([['success', 'success'], 1])
      expect(saidBy(agent)[0]).toContain('**Clarification**: technical')
      expect(told).toContainEqual(expect.objectContaining({ message: expect.stringContaining('Requesting clarification') as string }))
    })
  })
}
