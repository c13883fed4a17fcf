import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as lena from 'lena-agent'
import { fileSessions, postgresSessions, sqliteSessions } from 'lena-agent/sessions'
import { scriptedModel } from 'lena-agent/testing'
import { fileResults } from 'lena-agent/toolkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doorTests, Made, noBoolean, noFunction, noOptions, noSignal, noText, thrownBy } from '../support/door.ts'
import type { Door } from '../support/door.ts'

const record = { version: '1.0', id: 'r', parent: null, time: 1, entry: { type: 'state', state: { a: 1 } } } as const
const noRecords = [7, null, undefined, 'x', {}, Promise.resolve([record]), [null], [{}], ['x'], [record, 7]]
const noId = [undefined, ...noText, '', {}, [], 'a\u0000b', 'x'.repeat(201)]
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lena-doors-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Nobody is asked anything: what is wrong is said before. */
const untouched = {
  query: () => Promise.reject(new Error('the database was asked')),
  connect: () => Promise.reject(new Error('so it was')),
}
const sessions: Readonly<Record<string, () => lena.OwnSessionStore>> = {
  memorySessions: lena.memorySessions,
  fileSessions: () => fileSessions({ dir: join(dir, 'sessions') }),
  sqliteSessions: () => sqliteSessions({ path: ':memory:' }),
  postgresSessions: () => postgresSessions({ pool: untouched }),
}
const results: Readonly<Record<string, () => lena.OwnResultStore>> = {
  memoryResults: () => lena.memoryResults(),
  fileResults: () => fileResults({ dir: join(dir, 'results') }),
}
const result = { text: 'seen', callId: 'c', conversationId: 'k' }

const look = lena.tool({ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 'seen' })
const agent = (): lena.Agent =>
  new lena.Agent({ model: scriptedModel({ text: 'Hi.' }), tools: [look], context: lena.slidingWindow(), description: 'd' })
declare const lookDirectly: (input: object, options: unknown) => Promise<unknown>
const session = (): lena.Session => new lena.Session({ id: 'a', store: lena.memorySessions() })

const doors: readonly Door[] = [
  { name: 'agent.compact', open: (options) => agent().compact(options), wrong: { focus: noText, signal: noSignal } },
  { name: 'agent.ready', open: (options) => agent().ready(options), wrong: { signal: noSignal } },
  {
    name: 'agent.callTool',
    open: (options) => agent().callTool('look', {}, options),
    wrong: { signal: noSignal, record: noBoolean, invocationState: [7, []] },
  },
  {
    name: 'agent.tool.look',
    open: (options) => (agent().tool as unknown as Record<string, typeof lookDirectly>)['look']!({}, options),
    wrong: { signal: noSignal, record: noBoolean, invocationState: [7, []] },
  },
  { name: 'session.restore', open: (options) => session().restore(options), wrong: { signal: noSignal } },
  { name: 'session.branches', open: (options) => session().branches(options), wrong: { signal: noSignal } },
  ...Object.entries(sessions).flatMap(([name, make]): Door[] => [
    { name: `${name}().load`, open: (options) => make().load('a', options), wrong: { signal: noSignal, after: noText } },
    { name: `${name}().append`, open: (options) => make().append('a', [], options), wrong: { signal: noSignal, durable: noBoolean } },
    { name: `${name}().list`, open: (options) => make().list(options), wrong: { signal: noSignal } },
    { name: `${name}().remove`, open: (options) => make().remove('a', options), wrong: { signal: noSignal } },
  ]),
  ...Object.entries(results).flatMap(([name, make]): Door[] => [
    { name: `${name}().put`, open: (options) => make().put(result, options), wrong: { signal: noSignal } },
    {
      name: `${name}().read`,
      open: (options) => make().read('x', options),
      wrong: { signal: noSignal, offset: [-1, 1.5, '1', null], limit: [0, -1, Number.NaN, '9', null] },
    },
  ]),
]

describe('options', () => {
  for (const door of doors) doorTests(door)
})

type Bare = readonly [name: string, call: (value: any) => unknown, values: readonly unknown[]]
const bare: readonly Bare[] = [
  ...Object.entries(sessions).flatMap(([name, make]): Bare[] => [
    [`${name}().load, the id`, (id) => make().load(id), noId],
    [`${name}().append, the id`, (id) => make().append(id, []), noId],
    [`${name}().append, the records`, (records) => make().append('a', records), noRecords],
    [
      `${name}().append, what is no plain data`,
      (state) => make().append('a', [{ ...record, entry: { type: 'state', state } }]),
      [Promise.resolve({}), { a: 10n }, { a: () => 1 }, { a: new Date(0) }],
    ],
    [`${name}().remove, the id`, (id) => make().remove(id), noId],
  ]),
  ...Object.entries(results).flatMap(([name, make]): Bare[] => [
    [`${name}().put`, (value) => make().put(value), [undefined, ...noOptions, {}, { text: 7, conversationId: 'k' }, { text: 'x' }]],
    [`${name}().read, the path`, (path) => make().read(path), [undefined, ...noText, {}]],
    [`${name}().remove`, (id) => make().remove(id), [undefined, ...noText, {}]],
  ]),
  ['agent.callTool, the name', (name) => agent().callTool(name, {}), [undefined, ...noText, {}]],
  ['agent.callTool, the input', (input) => agent().callTool('look', input), [undefined, null, 7, 'x', [], Promise.resolve({}), Made]],
  ['agent.asTool', (options) => agent().asTool(options), noOptions],
  ['agent.use, the middleware', (middleware) => agent().use('tool', middleware), noFunction],
  ['tools.get', (name) => agent().tools.get(name), [undefined, ...noText, {}]],
  ['tools.remove', (name) => agent().tools.remove(name), [undefined, ...noText, {}]],
  ['tools.replace', (tool) => agent().tools.replace(tool), [undefined, 'x', ...noText, {}]],
  ['agent.warn, the code', (code) => agent().warn(code, 'Said.'), [undefined, ...noText]],
  ['agent.warn, the sentence', (message) => agent().warn('code', message), [undefined, ...noText]],
]

describe('arguments', () => {
  it.each(bare)('%s', async (_name, call, values) => {
    for (const value of values) {
      const thrown = await thrownBy(() => call(value))
      expect(lena.AgentError.isInstance(thrown), `${JSON.stringify(value, (_, v) => String(v))}: ${String(thrown)}`).toBe(true)
    }
  })

  it('says what was expected and what came', async () => {
    expect(String(await thrownBy(() => lena.memorySessions().list(null as never)))).toBe(
      'InputError: list() takes an object of options or nothing, got null.',
    )
    expect(String(await thrownBy(() => lena.memorySessions().append('a', [record, 'x' as never])))).toContain(
      'needs session records { version, id, parent, time, entry }, got "x" at 1.',
    )
    expect(String(await thrownBy(() => agent().setMessages(Promise.resolve([]) as never)))).toBe(
      'InputError: setMessages() needs an array of messages, got a promise.',
    )
  })

  it('changes nothing when one of the records is none', async () => {
    const store = lena.memorySessions()
    await thrownBy(() => store.append('a', [record, 7 as never]))
    expect(await store.list()).toEqual([])
  })
})

describe('without options', () => {
  const { postgresSessions: _elsewhere, ...here } = sessions
  it.each(Object.entries(here))('%s does what it is asked', async (_name, make) => {
    const store = make()
    await store.append('by-hand', [record])
    expect((await store.load('by-hand')).records).toEqual([record])
    expect((await store.list()).map(({ id }) => id)).toEqual(['by-hand'])
    await store.remove('by-hand', {})
    expect(await store.list({ signal: undefined })).toEqual([])
    expect((await store.load('by-hand', { after: 'of another store' })).records).toEqual([])
  })

  it.each(Object.entries(results))('%s gives the whole result', async (_name, make) => {
    const store = make()
    const { path } = await store.put(result)
    expect(await store.read(path)).toEqual({ text: 'seen', offset: 0, chars: 4 })
    expect(await store.owns(7 as never)).toBe(false)
    await store.remove('k')
    expect(String(await thrownBy(() => store.read(path)))).toContain('No result is kept')
  })
})

describe('a cancel', () => {
  it.each([undefined, null, 7, {}, [], Promise.resolve('x'), Made, Object.create(null), Symbol('s')])(
    'ends the run, given %s',
    async (reason) => {
      const running = new lena.Agent({ model: scriptedModel({ text: 'so far', hang: true, after: 3 }) })
      const ended = running.invoke('x')
      running.cancel(reason)
      expect((await ended).stopReason).toBe('cancelled')
      const stream = running.stream('x')
      stream.cancel(reason)
      expect((await stream.result).stopReason).toBe('cancelled')
    },
  )
})
