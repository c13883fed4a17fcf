import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from '../../../../src/agent/agent.ts'
import type { AgentOptions } from '../../../../src/agent/agent-options.ts'
import { answer } from '../../../../src/interrupts/interrupt.ts'
import { check } from '../../../../src/messages/check.ts'
import type { Message } from '../../../../src/messages/message.ts'
import { memoryResults } from '../../../../src/results/memory-results.ts'
import { fileSessions } from '../../../../src/session-stores/file/file-sessions.ts'
import { recordsOf } from '../../../../src/sessions/entry.ts'
import { memorySessions } from '../../../../src/sessions/memory-sessions.ts'
import { openSession } from '../../../../src/sessions/open-session.ts'
import { Session } from '../../../../src/sessions/session.ts'
import type { SessionStore } from '../../../../src/sessions/session-store.ts'
import { countingIds } from '../../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../../src/testing/scripted-model.ts'
import { assistant, call, result, user, withIds } from '../../../support/history.ts'
import { breachesOf } from '../../../support/invariant.ts'
import { sketch } from '../../../support/sketch.ts'
import { look, toolNamed } from '../../../support/tools.ts'
import { refuseUnhandled } from '../../../support/unhandled.ts'

refuseUnhandled()

const { signal } = new AbortController()
const sessionOn = (store: SessionStore): Session => new Session({ id: 's', store })
function agentOn(store: SessionStore, steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}) {
  const model = scriptedModel(...steps)
  return { model, agent: new Agent({ model, retry: false, session: sessionOn(store), ...options }) }
}
/** A session as a process left it. */
async function leftWith(messages: readonly Message[]): Promise<SessionStore> {
  const store = memorySessions()
  const entries = messages.map((message) => ({ type: 'message', message }) as const)
  await store.append('s', recordsOf(entries, { after: null, time: 1, ids: countingIds() }), { signal })
  return store
}

describe('a process that died', () => {
  it.each([
    ['between a call and its result', [user('go'), assistant(call('a'))]],
    ['between a call and its result, earlier', [user('go'), assistant(call('a')), user('more'), assistant('yes')]],
    ['and left a result at the beginning', [user(result('lost')), assistant('well')]],
    ['and left a result that nobody asked for at the end', [user('go'), assistant('well'), user(result('lost'))]],
    ['with one call of two answered', [user('go'), assistant(call('a'), call('b')), user(result('a'))]],
  ])('%s leaves a session that can be gone on with (hs#1123, hs#2025, hs#1610, hs#1274, V33)', async (_, messages) => {
    const store = await leftWith(withIds(messages))
    const { agent, model } = agentOn(store, [{ text: 'Yes.' }, { text: 'And again.' }])
    await agent.invoke('and now?')
    await agent.invoke('and then?')
    expect(model.requests.flatMap((request) => breachesOf(request))).toEqual([])
    expect(check(agent.messages)).toEqual([])
    expect((await sessionOn(store).restore()).messages).toEqual(agent.messages)
  })

  it('with an open call, and invoke() without input: the tool runs (V34)', async () => {
    const store = await leftWith(withIds([user('go'), assistant({ ...call('a', 'look'), input: { at: 1 } })]))
    const { agent, model } = agentOn(store, [{ text: 'Seen.' }], { tools: [look()] })
    await agent.invoke()
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: look#a {"at":1}', 'user: a success "seen 1"', 'assistant: "Seen."'])
    expect(model.requests.length).toBe(1)
  })
})

it('a cancel while a tool runs leaves a session whose next request is whole (BUG-38)', async () => {
  const store = memorySessions()
  const first = agentOn(store, [{ calls: [{ name: 'slow', input: { at: 1 } }] }], {
    tools: [toolNamed('slow', (_, { signal }) => (queueMicrotask(() => first.agent.cancel()), waitFor(signal)))],
  })
  expect((await first.agent.invoke('go')).stopReason).toBe('cancelled')
  const second = agentOn(store, [{ text: 'Yes.' }])
  await second.agent.invoke('never mind')
  expect(breachesOf(second.model.requests[0]!)).toEqual([])
})
const waitFor = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

it('a question outlives the process, and each call has one result, also behind a second stop (hs#2474, BUG-41)', async () => {
  const store = memorySessions()
  const tools = [toolNamed('write', ({ at }) => `written ${at}`, { needsApproval: true })]
  const asks = (at: number): ScriptStep => ({ calls: [{ name: 'write', input: { at } }] })
  const first = await agentOn(store, [asks(1)], { tools }).agent.invoke('go')
  const second = await agentOn(store, [asks(2)], { tools }).agent.invoke([answer(first.interrupts[0]!, true)])
  const third = agentOn(store, [{ text: 'Done.' }], { tools })
  await third.agent.invoke([answer(second.interrupts[0]!, true)])
  const { messages } = await sessionOn(store).restore()
  expect(messages).toEqual(third.agent.messages)
  const ids = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])))
  expect([new Set(ids).size, ids.length, check(messages)]).toEqual([2, 2, []])
})

describe('a session file', () => {
  async function fileWith(...texts: readonly string[]) {
    const dir = await mkdtemp(join(tmpdir(), 'lena-bugs-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const store = fileSessions({ dir })
    const open = await openSession(sessionOn(store), { signal })
    for (const text of texts)
      await open.append([{ type: 'message', message: { id: text, role: 'user', content: [{ type: 'text', text }] } }])
    return { store, path: join(dir, 's.jsonl') }
  }

  it.each([
    ['a line of NUL bytes', (line: string) => `${'\0'.repeat(300)}\n${line}`],
    ['NUL bytes in front of a record', (line: string) => `${'\0'.repeat(300)}${line}`],
  ])('with %s in its midst loses nothing of what follows, and says so (BUG-65)', async (_, spoil) => {
    const { store, path } = await fileWith('one', 'two', 'three')
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, [...lines.slice(0, 2), spoil(lines[2]!), ...lines.slice(3)].join('\n'))
    const { messages, warnings } = await sessionOn(store).restore()
    expect(messages.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
    expect(warnings).toEqual([expect.stringContaining('is damaged')])
  })

  it('whose last line was torn is gone on with (hs#1123)', async () => {
    const { store, path } = await fileWith('one')
    await appendFile(path, '{"version":"1.0","id":"rec_x","par')
    const { agent } = agentOn(store, [{ text: 'Yes.' }])
    await agent.invoke('more')
    const { messages } = await sessionOn(store).restore()
    expect(messages).toEqual(agent.messages)
    expect(check(messages)).toEqual([])
  })

  it('holds the preview of a large result and its path, not the result', async () => {
    const { store, path } = await fileWith()
    const { agent } = agentOn(store, [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Much.' }], {
      tools: [look(() => 'x'.repeat(3_000_000))],
      results: memoryResults(),
    })
    await agent.invoke('go')
    const file = await readFile(path, 'utf8')
    expect(file).toContain('persisted-output path=')
    expect(file.length).toBeLessThan(20_000)
  })

  it('has what is said with half a character well-formed (BUG-63)', async () => {
    const { store, path } = await fileWith()
    const { agent, model } = agentOn(store, [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Odd.' }, { text: 'Yes.' }], {
      tools: [look(() => `half \ud83d`)],
    })
    await agent.invoke('go')
    expect((await readFile(path)).toString()).toBe(await readFile(path, 'utf8'))
    await agentOn(store, [{ text: 'Yes.' }]).agent.invoke('more')
    expect(JSON.stringify(model.requests)).not.toMatch(/\\ud83d(?!\\ud)/i)
  })
})

it('two that write at once are both kept, and the newest is followed (hs#4240)', async () => {
  const store = memorySessions()
  await agentOn(store, [{ text: 'Begun.' }]).agent.invoke('go')
  const [left, right] = [agentOn(store, [{ text: 'Left.' }]), agentOn(store, [{ text: 'Right.' }])]
  await Promise.all([left.agent.ready(), right.agent.ready()])
  await Promise.all([left.agent.invoke('left'), right.agent.invoke('right')])
  const branches = await sessionOn(store).branches()
  const histories = await Promise.all(branches.map(({ leaf }) => new Session({ id: 's', store, at: leaf }).restore()))
  const ends = histories.map(({ messages }) => sketch(messages).at(-1)!)
  expect(new Set(ends)).toEqual(new Set(['assistant: "Left."', 'assistant: "Right."']))
})

it('a history is not put into an agent that runs (hs#3834)', async () => {
  const refused: unknown[] = []
  const { agent } = agentOn(memorySessions(), [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }], {
    tools: [
      look(() => {
        try {
          agent.setMessages([])
        } catch (error) {
          refused.push((error as { readonly code: string }).code)
        }
        return 'seen'
      }),
    ],
  })
  await agent.invoke('go')
  expect([refused, check(agent.messages)]).toEqual([['concurrent_invocation'], []])
})
