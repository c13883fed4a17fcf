import * as lena from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { describe, expect, it } from 'vitest'
import {
  doorTests,
  Made,
  noBoolean,
  noBound,
  noCount,
  noFunction,
  noOptions,
  noPort,
  noSignal,
  noText,
  noTime,
  thrownBy,
} from '../support/door.ts'
import type { Door } from '../support/door.ts'

const { Agent, AgentError, Budget, Session } = lena
const model = (): lena.Model => scriptedModel({ text: 'Hi.' })
const agent = (options: object = {}): lena.Agent => new Agent({ model: model(), ...options })
const store = lena.memorySessions()
const tool = (options: object): unknown =>
  lena.tool({ name: 't', description: 'd', inputSchema: { type: 'object' }, execute: () => 1, ...options } as never)

const settings = {
  maxTokens: noCount,
  temperature: ['hot', Number.NaN, null],
  topP: ['1', Infinity],
  stopSequences: ['x', [7], ['']],
  thinking: [true, 'high', { effort: 'huge' }, { budgetTokens: 0 }],
  extra: ['x', Promise.resolve({}), []],
}

const doors: readonly Door[] = [
  {
    name: 'new Agent',
    open: (options) => new Agent(options),
    base: { model: model() },
    wrong: {
      model: [...noPort.slice(0, 1), '', Made, Promise.resolve(model()), null],
      name: [...noText, '', 'a b'],
      description: noText,
      instructions: [7, null, [{ type: 'image' }]],
      tools: [{}, 'x', null],
      messages: [{}, 'x', null],
      state: [[], 'x', Promise.resolve({}), null],
      settings: noOptions,
      limits: [...noOptions, { turns: 0 }],
      strategy: noPort,
      maxConcurrency: noCount,
      plugins: [{}, 7],
      steps: noPort,
      retry: [true, 'x', Promise.resolve({}), null],
      context: noPort,
      session: noPort,
      results: noPort,
      cancelGraceMs: noTime,
      clock: noPort,
      ids: noPort,
    },
  },
  { name: 'settings', open: (options) => agent({ settings: options }), wrong: settings },
  {
    name: 'retry',
    open: (options) => agent({ retry: options }),
    isLax: true,
    wrong: { maxAttempts: noCount, baseMs: noTime, maxMs: noTime, jitter: noBoolean },
  },
  {
    name: 'agent.stream',
    open: (options) => agent().stream('x', options),
    wrong: {
      signal: noSignal,
      limits: [7, { turns: -1 }],
      invocationState: [7, []],
      onEvent: noFunction,
      toolChoice: ['any', {}, Made, () => {}],
      keepPartialText: noBoolean,
      partialInput: noBoolean,
      rawEvents: noBoolean,
      steps: noPort,
      budget: [{ cost: 1 }, 7, Budget],
      checkpointing: noBoolean,
      idempotencyToken: [7, ''],
      output: [7, 'x', null, Promise.resolve({})],
    },
  },
  {
    name: 'output',
    open: (options) => agent().stream('x', { output: options }),
    base: { schema: { type: 'object' } },
    isLax: true,
    wrong: { schema: [7, null, Promise.resolve({})], name: ['a b', 7], attempts: noCount, prompt: [7, '', null], mode: ['json', 7] },
  },
  {
    name: 'new Budget',
    open: (options) => new Budget(options),
    wrong: {
      turns: noCount,
      totalTokens: noCount,
      outputTokens: noCount,
      cost: noBound,
      timeMs: noBound,
      prices: [7, [], Promise.resolve({}), { 'a/b': 3 }, { 'a/b': { input: '3', output: 1 } }, { 'a/b': { input: 3 } }],
    },
  },
  {
    name: 'tool',
    open: tool,
    isLax: true,
    wrong: {
      name: noText,
      description: [...noText, ''],
      inputSchema: [7, 'x', null, [], Promise.resolve({})],
      outputSchema: [7, '', null, Promise.resolve({})],
      execute: noFunction,
      isReadOnly: ['yes', 1, null],
      isDestructive: ['yes', 1, null],
      isConcurrencySafe: [1, null],
      needsApproval: ['yes', 1, null],
      access: ['x', {}],
      timeoutMs: noBound.slice(0, 4),
      settleMs: [-1, '5'],
      maxResultChars: noBound.slice(0, 4),
      strict: noBoolean,
      errorStack: noBoolean,
    },
  },
  {
    name: 'asTool',
    open: (options) => agent({ description: 'd' }).asTool(options),
    isLax: true,
    wrong: {
      name: [7, 'a b'],
      description: [7, null],
      inputSchema: [7, null],
      prompt: noFunction,
      timeoutMs: ['5', -1],
      tools: [{}, 'x'],
      model: [7, '', null, {}],
      instructions: [7, null],
    },
  },
  { name: 'agent.on', open: (options) => agent().on('beforeTools', () => {}, options), wrong: { order: ['1', Number.NaN, null] } },
  {
    name: 'new Session',
    open: (options) => new Session(options),
    base: { id: 'a', store },
    wrong: { id: [...noText, ''], store: noPort, at: [7, null] },
  },
  {
    name: 'session.fork',
    open: (options) => new Session({ id: 'a', store }).fork(options),
    base: { id: 'b' },
    wrong: { id: [...noText, ''], at: [7, null], signal: noSignal },
  },
  { name: 'memoryResults', open: lena.memoryResults, wrong: { maxChars: noBound } },
  {
    name: 'slidingWindow',
    open: lena.slidingWindow,
    wrong: { messages: [1, '9'], tokens: [0, '9'], pin: [-1, 'x'] },
  },
  {
    name: 'summarising',
    open: lena.summarising,
    wrong: { model: [7, {}], keep: [-1, '9'], at: [0, 2, '1'], maxSummaryTokens: [0, '9'], prompt: [7, null] },
  },
  { name: 'truncateResults', open: lena.truncateResults, wrong: { keep: [-1], maxChars: [-1, '9'], at: [0, 2] } },
  { name: 'offloadResults', open: lena.offloadResults, wrong: { keep: [-1], minChars: [0, '9'], previewChars: [-1, '9'], at: [0, 2] } },
  {
    name: 'findLocalServers',
    open: lena.findLocalServers,
    wrong: { signal: noSignal, timeoutMs: noTime, fetch: noFunction, ports: [7, []], clock: noPort },
  },
]

describe('options', () => {
  for (const door of doors) doorTests(door)
})

const history = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }]
const bare: readonly (readonly [string, (value: any) => unknown, readonly unknown[]])[] = [
  ['agent.invoke', (value) => agent().invoke(value), [7, null, {}, new Date(0), Promise.resolve('x'), ['x'], Made]],
  ['agent.on, the hook', (value) => agent().on(value, () => {}), [7, null, undefined, {}, Symbol('s'), 'beforeTool']],
  ['agent.on, the function', (value) => agent().on('beforeTools', value), noFunction],
  ['agent.use, the stage', (value) => agent().use(value, () => {}), [7, null, Symbol('s'), 'tools']],
  ['agent.guard', (value) => agent().guard(value), noPort],
  ['agent.guard, the name', (name) => agent().guard({ name, judge: () => ({ decision: 'allow' }) }), noText],
  [
    'agent.guard, allowsEarly',
    (allowsEarly) => agent().guard({ name: 'g', judge: () => ({ decision: 'allow' }), allowsEarly }),
    noBoolean.slice(0, 3),
  ],
  ['agent.setMessages', (value) => agent().setMessages(value), [7, null, {}, [7], [null]]],
  ['tools.add', (value) => agent().tools.add(value), [7, null, {}, Made]],
  ['jsonSchema', lena.jsonSchema, [7, null, [], 'x', Promise.resolve({})]],
  ['toolsOf', lena.toolsOf, [7, null, {}, Made]],
  ['answer', (value) => lena.answer('id', value), [undefined, Number.NaN, Promise.resolve(true), () => {}, 10n]],
  ['answer, the interrupt', (value) => lena.answer(value, true), [undefined, null, {}, '', 7]],
  ['text', lena.text, noText],
  ['textOf', lena.textOf, [undefined, null, 7, 'x', {}]],
  [
    'image, the data',
    (value) => lena.image(value, 'image/png'),
    [undefined, null, 7, {}, [1], 'https://example.com/a.png', Promise.resolve(new Uint8Array())],
  ],
  ['image, the type', (value) => lena.image(new Uint8Array([1]), value), [undefined, null, 7, '', 'png']],
  ['document, the data', (value) => lena.document(value, 'application/pdf'), [undefined, null, 7, {}, 'file:///a.pdf']],
  ['check', lena.check, [undefined, null, 7, 'x', {}, [null], [{ role: 'user', content: 'x' }], [{ role: 'user', content: [null] }]]],
  ['repair', lena.repair, [undefined, null, 7, 'x', {}, [null], [{ role: 'system', content: [] }]]],
  ['estimateTokens', lena.estimateTokens, [undefined, null, 7, 'x', {}]],
  ['modelInfo', lena.modelInfo, [undefined, null, 7, {}, []]],
  ['pricesOf', lena.pricesOf, [undefined, null, 7, {}, []]],
  ['costOf, the usage', (value) => lena.costOf(value, { input: 1, output: 1 }), [undefined, null, 7, {}]],
  [
    'costOf, the prices',
    (value) => lena.costOf({ inputTokens: 1, outputTokens: 1, totalTokens: 2 }, value),
    [undefined, null, 7, {}, { input: '1', output: 1 }],
  ],
  ['pickLocalModel', lena.pickLocalModel, [undefined, null, 7, Promise.resolve([])]],
  ['compact, the manager', (value) => lena.compact(value, { messages: history, model: model() } as never), noPort],
  [
    'compact, the rest',
    (value) => lena.compact(lena.slidingWindow(), value),
    [
      undefined,
      null,
      7,
      [],
      {},
      { messages: history, model: 'offline' },
      { messages: 7, model: model() },
      { messages: history, model: model(), signal: 7 },
      { messages: history, model: model(), focus: 7 },
    ],
  ],
  ['contextManagers', lena.contextManagers, [undefined, null, 7, [7]]],
]

describe('arguments', () => {
  it.each(bare)('%s', async (_name, call, values) => {
    for (const value of values) {
      const thrown = await thrownBy(() => call(value))
      expect(AgentError.isInstance(thrown), `${typeof value === 'object' ? JSON.stringify(value) : String(value)}: ${String(thrown)}`).toBe(
        true,
      )
    }
  })
})
