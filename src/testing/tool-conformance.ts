import { InputError } from '../errors.ts'
import { isOptions } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { checkSuite } from './check-suite.ts'
import { Agent } from '../agent/agent.ts'
import type { AgentEventOf } from '../agent/events.ts'
import { checkTool } from '../tools/check-tool.ts'
import { flagsOf } from '../tools/flags.ts'
import type { ToolFlags } from '../tools/flags.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'
import { validateJsonSchema } from '../tools/validate-json-schema.ts'
import { notNeeded } from '../util/abort.ts'
import { systemClock } from '../util/clock.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { checkEvents } from './check-events.ts'
import { collect } from './collect.ts'
import type { TestRunner } from './result-store-conformance.ts'
import { scriptedModel } from './scripted-model.ts'
import { schemaFaults } from './schema-faults.ts'
import { valueWithin } from './within.ts'

/** What to call the tool with. */
export type ToolSamples = {
  /** A good input, with which the tool ends well. */
  readonly input: JsonObject
  /** An input that its schema does not take. Without it `{}`, where the schema requires something. */
  readonly invalid?: JsonObject | undefined
  /** An input with which it takes longer than the test, unless it is told to end. */
  readonly slow?: JsonObject | undefined
  /** An input with which it tells of its progress. */
  readonly progress?: JsonObject | undefined
  /** An input that must have its effect once, though it is run twice with the same idempotency key. Needs `effects`. */
  readonly once?: JsonObject | undefined
  /** Resolves when a slow call is at work. Without it a moment is waited. */
  readonly begun?: (() => Promise<unknown>) | undefined
  /** What the tool has done in the world by now, as JSON: files, rows, a counter. */
  readonly effects?: (() => JsonValue | Promise<JsonValue>) | undefined
  /** Called with the tool when a test is over. */
  readonly dispose?: ((tool: Tool) => unknown) | undefined
}

/** How long an effect has to show itself that should not come. */
const lateMs = 60

/**
 * The tests that a tool must pass, whatever it is made of: what the model is told of it, its flags, what it takes and what it gives,
 * and how it ends when it is told to.
 *
 * @param make gives the tool, anew for each test.
 * @example toolConformance({ test }, () => price, { input: { item: 'tea' }, invalid: { item: 3 } })
 */
export function toolConformance(runner: TestRunner, make: () => Tool | Promise<Tool>, samples: ToolSamples): void {
  checkSuite('toolConformance', runner, make)
  if (!isOptions(samples) || !('input' in samples))
    throw new InputError(
      `toolConformance() needs samples of inputs, as in { input: { item: 'tea' }, invalid: { item: 3 } }, got ${describe(samples)}.`,
    )
  const { effects = () => null, begun = () => pause(lateMs) } = samples
  const test = (name: string, run: (tool: Tool) => Promise<void>): void =>
    runner.test(name, async () => {
      const tool = await make()
      try {
        await run(tool)
      } finally {
        await samples.dispose?.(tool)
      }
    })

  test('what the model is told of it is legal with every provider', async (tool) => {
    checkTool(tool)
    if (tool.description.trim() === '') throw new Error('the description is empty: the model chooses tools by it')
    const faults = schemaFaults(tool.inputSchema)
    if (faults.length > 0) throw new Error(`the inputSchema cannot be sent: ${faults.join('; ')}`)
    if (tool.outputSchema) frozenCopy(tool.outputSchema, 'outputSchema')
    const { issues } = await validateJsonSchema(tool.inputSchema, samples.input)
    if (issues)
      throw new Error(`the good input does not fit the schema that the model is shown: ${issues.map(({ message }) => message).join('; ')}`)
  })

  test('what the model is told of it stays the same', async (tool) => {
    const spec = (): string => JSON.stringify([tool.name, tool.description, tool.inputSchema])
    const before = spec()
    await outcomeOf(tool, samples.input)
    same(spec(), before, 'the spec, after a call')
  })

  test('its flags answer for the good input in bounded time: none throws, none rejects', async (tool) => {
    const input = await checked(tool, samples.input)
    for (const name of ['isReadOnly', 'isDestructive', 'needsApproval', 'isConcurrencySafe'] as const) {
      const flag: unknown = tool[name]
      const answer: unknown =
        typeof flag === 'function' ? await answerOf(() => (flag as (input: unknown) => unknown)(input), name) : (flag ?? false)
      const isKey = name === 'isConcurrencySafe' && typeof answer === 'string'
      if (typeof answer !== 'boolean' && !isKey) throw new Error(`${name} is ${shown(answer)} for the good input, expected true or false`)
    }
    if (tool.access) {
      const access = await answerOf(() => tool.access!(input), 'access')
      if (!isObject(access)) throw new Error(`access is ${shown(access)} for the good input, expected an object such as { paths: [] }`)
    }
    const { readOnly, destructive } = await flagsFor(tool, input)
    if (readOnly && destructive)
      throw new Error('it says that it only reads, and that what it does cannot be undone: one of the two is wrong')
  })

  test('it takes the good input, and gives what the history can hold', async (tool) => {
    const before = await effects()
    const outcome = await outcomeOf(tool, samples.input)
    if (outcome.status !== 'success') throw new Error(`the good input ended in an error: ${shown(outcome.content)}`)
    same(JSON.parse(JSON.stringify(outcome.content)), outcome.content, 'the content, as JSON')
    if ((await flagsFor(tool, await checked(tool, samples.input))).readOnly)
      same(await effects(), before, 'it only reads, so what there was')
  })

  test('the input is left as it was', async (tool) => {
    // Not frozen: a change is to be seen.
    const input = JSON.parse(JSON.stringify(samples.input)) as JsonObject
    const parsed = await checked(tool, input)
    const before = JSON.stringify(parsed)
    await outcomeOf(sameTool(tool, { validate: () => ({ value: parsed }) }), samples.input)
    same([input, JSON.stringify(parsed)], [samples.input, before], 'the input, after the call')
  })

  test('an input that its schema does not take is refused: where, what was expected, what came; and nothing is run', async (tool) => {
    const invalid = samples.invalid ?? (hasRequired(tool) ? {} : undefined)
    if (!invalid) return
    const before = await effects()
    let runs = 0
    const counted = sameTool(tool, { run: (input, context) => (runs++, tool.run(input, context) as unknown) })
    const outcome = await outcomeOf(counted, invalid)
    same([outcome.status, outcome.code, runs], ['error', 'invalid_input', 0], 'status, code and runs')
    const text = outcome.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    if (!/^- \S+: .*\b(got|received|actual|was)\b/im.test(text))
      throw new Error(`the refusal does not say where, what was expected and what came: ${text}`)
    same(await effects(), before, 'what there was')
  })

  test('every call has its key, the same when a hook has it run again', async (tool) => {
    const keys: string[] = []
    const noted = sameTool(tool, { run: (input, context) => (keys.push(context.idempotencyKey), tool.run(input, context) as unknown) })
    const agent = agentWith(noted)
    agent.on('afterToolCall', (event) => void (event.retry = keys.length < 2))
    await valueWithin(agent.callTool(noted.name, samples.input), 'the end of the call')
    if (keys.length !== 2 || !keys[0] || keys[0] !== keys[1]) throw new Error(`expected one key twice, got ${shown(keys)}`)
  })

  test('calls that may run side by side do', async (tool) => {
    if ((await flagsFor(tool, await checked(tool, samples.input))).safe !== true) return
    const model = scriptedModel(
      { calls: [samples.input, samples.input, samples.input].map((input) => ({ name: tool.name, input })) },
      { text: 'done' },
    )
    const { events } = await valueWithin(collect(new Agent({ model, tools: [tool], retry: false }).stream('go')), 'the end of three calls')
    const ends = events.filter((event): event is AgentEventOf<'tool_end'> => event.type === 'tool_end').map(({ result }) => result.status)
    same([ends, checkEvents(events)], [['success', 'success', 'success'], []], 'three calls at once')
  })

  const { slow, progress, once } = samples
  if (slow)
    test('a call that is told to end does so in bounded time, and does nothing more behind that', async (tool) => {
      const controller = new AbortController()
      let left: Promise<unknown> | undefined
      const noted = sameTool(tool, {
        run: (input, context) => {
          const { returned, ended } = watched(tool.run(input, context))
          left = ended
          return returned
        },
      })
      const ending = outcomeOf(noted, slow, controller.signal)
      await begun()
      controller.abort(new Error('enough'))
      const outcome = await ending
      same([outcome.status, outcome.code], ['error', 'cancelled'], 'status and code')
      if (!left) throw new Error('the call had not begun when it was told to end: `begun` resolves too early')
      await valueWithin(left.then(noop, noop), 'the end of the work itself')
      const before = await effects()
      await pause(lateMs)
      same(await effects(), before, 'what there was when the call had ended')
    })

  if (progress)
    test('it tells of its progress while it runs, in plain data', async (tool) => {
      const model = scriptedModel({ calls: [{ name: tool.name, input: progress }] }, { text: 'done' })
      const { events } = await valueWithin(collect(new Agent({ model, tools: [tool], retry: false }).stream('go')), 'the end of the call')
      const told = events.filter((event): event is AgentEventOf<'tool_progress'> => event.type === 'tool_progress')
      if (told.length === 0) throw new Error('it told of no progress')
      for (const { value } of told) frozenCopy(value, 'progress')
      same(checkEvents(events), [], 'faults of the events')
    })

  if (once)
    test('run twice with one key it has its effect once', async (tool) => {
      const agent = agentWith(tool)
      let runs = 0
      let before: JsonValue = null
      agent.on('afterToolCall', async (event) => {
        if (++runs === 1) {
          before = await effects()
          event.retry = true
        }
      })
      await valueWithin(agent.callTool(tool.name, once), 'the end of the call')
      same(await effects(), before, 'what there was after the first run')
    })
}

const noop = (): void => {}

const agentWith = (tool: Tool): Agent => new Agent({ model: scriptedModel(), tools: [tool], retry: false })

/** One call, on every step of the way that a call has. */
async function outcomeOf(tool: Tool, input: JsonObject, signal?: AbortSignal): Promise<ToolOutcome> {
  return await valueWithin(agentWith(tool).callTool(tool.name, input, signal && { signal }), 'the end of the call')
}

/** The same tool with other parts. Its own methods find it as `this`. */
function sameTool(tool: Tool, parts: Partial<Pick<Tool, 'run' | 'validate'>>): Tool {
  const handler: ProxyHandler<Tool> = {
    get: (_target, key) => {
      if (key in parts) return parts[key as 'run']
      const value: unknown = Reflect.get(tool, key, tool)
      return typeof value === 'function' ? (value as () => unknown).bind(tool) : value
    },
    has: (_target, key) => key in parts || Reflect.has(tool, key),
  }
  return new Proxy({} as Tool, handler)
}

/** What the tool says of a call, at once or in bounded time. */
const answerOf = (ask: () => unknown, what: string): Promise<unknown> =>
  valueWithin((async () => await ask())(), `the answer of ${what} for the good input`)

const flagsFor = (tool: Tool, input: unknown): Promise<ToolFlags> => valueWithin(Promise.resolve(flagsOf(tool, input)), 'its flags')

/** The input as the tool gets it. */
async function checked(tool: Tool, input: JsonObject): Promise<unknown> {
  const result = await (tool.validate ? tool.validate(input) : validateJsonSchema(tool.inputSchema, input))
  if (result.issues) throw new Error(`the good input is refused: ${result.issues.map(({ message }) => message).join('; ')}`)
  return result.value as unknown
}

/** What a tool returned, and when the work itself has ended. */
function watched(returned: unknown): { readonly returned: unknown; readonly ended: Promise<unknown> } {
  if (typeof returned !== 'object' || returned === null || !(Symbol.asyncIterator in returned))
    return { returned, ended: Promise.resolve(returned) }
  let end: () => void
  const ended = new Promise<void>((resolve) => (end = resolve))
  const steps = async function* (): AsyncGenerator<unknown, unknown, void> {
    try {
      return yield* returned as AsyncGenerator<unknown, unknown, void>
    } finally {
      end()
    }
  }
  return { returned: steps(), ended }
}

const hasRequired = ({ inputSchema }: Tool): boolean => {
  const required: unknown = isObject(inputSchema) ? inputSchema['required'] : undefined
  return Array.isArray(required) && required.length > 0
}

/**
 * A moment, and what came due in it. When a thread was held up many timers are due at once, and Node runs them list by list, so that
 * ours may come before others that were due earlier: those run in the same phase of the event loop, which is over at the immediate.
 */
async function pause(ms: number): Promise<void> {
  const timer = new AbortController()
  await systemClock.sleep(ms, timer.signal)
  timer.abort(notNeeded)
  await new Promise<void>((resolve) => void setImmediate(resolve))
}

const shown = (value: unknown): string => {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 400)
  } catch {
    return String(value)
  }
}

function same(got: unknown, wanted: unknown, what: string): void {
  if (shown(got) !== shown(wanted) || JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`${what}: expected ${shown(wanted)}, got ${shown(got)}`)
}
