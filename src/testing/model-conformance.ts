import { aBoolean, checkOptions } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { checkSuite } from './check-suite.ts'
import { AgentError } from '../errors.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { Model, ModelRequest, ModelStreamOptions } from '../models/model.ts'
import { tick } from '../util/clock.ts'
import { checkModelEvents } from './check-model-events.ts'
import { answerOf, sceneAnswer } from './model-answer.ts'
import type { ModelScene, SceneFailure, SceneName } from './model-scenes.ts'
import { sceneNames, sceneOf, sceneRequest } from './model-scenes.ts'
import type { TestRunner } from './result-store-conformance.ts'
import { valueWithin, within } from './within.ts'

/** A model whose server plays a scene. */
export type PlayedModel = {
  readonly model: Model
  /** What to ask it. Default: a request with instructions, tools, a call and its result. */
  readonly request?: ModelRequest | undefined
  /** Resolves when the server has the request. Without it the next turn of the event loop is waited for. */
  readonly begun?: (() => Promise<unknown>) | undefined
  /** Resolves when nothing is held for an answer any more: its connection is closed, its timers are gone. Without it that is not asked. */
  readonly released?: (() => Promise<unknown>) | undefined
  /** Called when the test is over. */
  readonly dispose?: (() => unknown) | undefined
}

export type ModelConformanceOptions = {
  /** The scenes that the model can play. Default: all. For a model without a server, for instance, leave the failures out. */
  readonly scenes?: readonly SceneName[] | undefined
  /** It says what it likes: texts, calls and usage are not held against the scene. Default false. */
  readonly saysItsOwn?: boolean | undefined
}

const rules: RulesOf<ModelConformanceOptions> = {
  scenes: [
    `a list of ${sceneNames.join(', ')}`,
    (value) => Array.isArray(value) && value.every((each) => sceneNames.includes(each as SceneName)),
  ],
  saysItsOwn: aBoolean,
}

/**
 * The tests that a model must pass: its events, how it ends when it is left or told to, how it fails, and that it keeps nothing from
 * one request to the next.
 *
 * @param make gives a model whose server plays the scene, anew for each test: what the blocks of the scene say, on your wire.
 * @example modelConformance({ test }, async (scene) => ({ model: acme('a-1', { url: await serverThatPlays(scene) }) }))
 */
export function modelConformance(
  runner: TestRunner,
  make: (scene: ModelScene) => PlayedModel | Promise<PlayedModel>,
  options: ModelConformanceOptions = {},
): void {
  checkSuite('modelConformance', runner, make)
  checkOptions('modelConformance', options, rules)
  const { scenes = sceneNames, saysItsOwn = false } = options
  const test = (name: string, scene: SceneName, run: (played: Played) => Promise<void>): void => {
    if (!scenes.includes(scene)) return
    runner.test(name, async () => {
      const made = await make(sceneOf(scene))
      try {
        await run(new Played(made))
      } finally {
        await made.dispose?.()
      }
    })
  }
  const says = (scene: SceneName, events: readonly ModelEvent[]): void => {
    const faults = checkModelEvents(events)
    if (faults.length > 0) throw new Error(`the events are not in order: ${faults.join('; ')}`)
    if (!saysItsOwn) same(answerOf(events), sceneAnswer(sceneOf(scene), events), 'the answer')
  }

  for (const [scene, what] of [
    ['answer', 'a text in pieces'],
    ['calls', 'a text and two calls'],
    ['cut_short', 'an answer that the output limit cut'],
  ] as const)
    test(`${what} comes whole: its blocks, its stop reason, its usage`, scene, async (played) => {
      says(scene, await played.all())
    })

  test('the same request has the same answer a second time: nothing is kept', 'calls', async (played) => {
    const first = await played.all()
    same(await played.all(), first, 'the second answer')
  })

  test('two answers at a time do not mix', 'calls', async (played) => {
    const streams = [played.open(), played.open()].map((iterator) => ({ iterator, events: [] as ModelEvent[] }))
    for (let open = streams; open.length > 0;) {
      const steps = await Promise.all(open.map(async ({ iterator }) => await valueWithin(iterator.next(), 'the next event')))
      steps.forEach((step, i) => step.done || open[i]!.events.push(step.value))
      open = open.filter((_, i) => !steps[i]!.done)
    }
    for (const { events } of streams) says('calls', events)
  })

  test('the request is left as it was', 'calls', async (played) => {
    // Not frozen: a change is to be seen, not swallowed.
    const request = JSON.parse(JSON.stringify(played.request)) as ModelRequest
    await played.all({}, request)
    same(request, played.request, 'the request')
  })

  test('chunks of the wire come as raw events for those who ask, and change nothing', 'answer', async (played) => {
    const isRaw = ({ type }: ModelEvent): boolean => type === 'raw'
    const plain = await played.all()
    if (plain.some(isRaw)) throw new Error('there are raw events, and nobody asked for them')
    same(
      (await played.all({ raw: true })).filter((event) => !isRaw(event)),
      plain,
      'the other events',
    )
  })

  test('behind its end a stream has nothing more', 'answer', async (played) => {
    const iterator = played.open()
    await played.rest(iterator)
    await isOver(iterator)
    await isOver(iterator)
  })

  test('a signal that has fired before lets nothing through', 'answer', async (played) => {
    const events: ModelEvent[] = []
    const iterator = played.open({ signal: AbortSignal.abort(new Error('never mind')) })
    await within(drain(iterator, events), 'the end of a stream that was cancelled before')
    same(events, [], 'its events')
  })

  for (const [scene, when] of [
    ['silent', 'before its first word'],
    ['hanging', 'in the middle'],
  ] as const)
    test(`a signal ends an answer ${when} in bounded time, nothing comes behind it, and nothing is held`, scene, async (played) => {
      const controller = new AbortController()
      const iterator = played.open({ signal: controller.signal })
      const late: ModelEvent[] = []
      let ending: Promise<void>
      if (scene === 'hanging') {
        await firstDelta(iterator)
        controller.abort(new Error('enough'))
        ending = drain(iterator, late)
      } else {
        ending = drain(iterator, late)
        await played.hasBegun()
        controller.abort(new Error('enough'))
      }
      const ended = await within(ending, 'the end of a stream that was cancelled')
      if (scene === 'silent' && late[0]?.type === 'message_start') late.shift()
      same(late, [], 'events behind the signal')
      if (ended.ok) throw new Error('a stream that was cancelled ended as if it were complete, expected it to throw')
      await isOver(iterator)
      await played.isReleased()
    })

  test('a reader that leaves is let go in bounded time, and nothing is held', 'hanging', async (played) => {
    const iterator = played.open()
    await firstDelta(iterator)
    if (!iterator.return) throw new Error('the iterator has no return(): a reader that leaves the loop is not noticed')
    await valueWithin(iterator.return(), 'the end of return()')
    await isOver(iterator)
    await played.isReleased()
  })

  test('an answer that breaks off is an error, and never complete', 'broken', async (played) => {
    const events: ModelEvent[] = []
    const ended = await within(drain(played.open(), events), 'the end of an answer that broke off')
    if (events.some(({ type }) => type === 'message_stop')) throw new Error('an answer that broke off has a message_stop')
    if (!ended.ok) isModelError(ended.error, ['incomplete_stream', 'network'])
  })

  const codes: Readonly<Record<SceneFailure, boolean>> = {
    throttled: true,
    overloaded: true,
    network: true,
    authentication: false,
    invalid_request: false,
    context_overflow: false,
  }
  for (const [code, retryable] of Object.entries(codes) as [SceneFailure, boolean][])
    test(`${code}: a ModelError with that code, ${retryable ? 'to be tried again' : 'not to be tried again'}`, code, async (played) => {
      const iterator = played.open()
      const ended = await within(drain(iterator, []), 'the end of a request that failed')
      if (ended.ok) throw new Error('the stream ended as if it were complete, expected it to throw')
      const error = isModelError(ended.error, [code])
      same(error['retryable'], retryable, 'retryable')
      await isOver(iterator)
    })
}

/** A model under test. */
class Played {
  readonly #played: PlayedModel
  constructor(played: PlayedModel) {
    this.#played = played
  }

  get request(): ModelRequest {
    return this.#played.request ?? sceneRequest
  }

  open(options: Partial<ModelStreamOptions> = {}, request = this.request): AsyncIterator<ModelEvent> {
    return this.#played.model.stream(request, { signal: new AbortController().signal, ...options })[Symbol.asyncIterator]()
  }

  async all(options: Partial<ModelStreamOptions> = {}, request = this.request): Promise<readonly ModelEvent[]> {
    return await this.rest(this.open(options, request))
  }

  async rest(iterator: AsyncIterator<ModelEvent>): Promise<readonly ModelEvent[]> {
    const events: ModelEvent[] = []
    await valueWithin(drain(iterator, events), 'the end of the answer')
    return events
  }

  async hasBegun(): Promise<void> {
    const { begun = tick } = this.#played
    await valueWithin(begun(), 'the request')
  }

  async isReleased(): Promise<void> {
    const { released } = this.#played
    if (released) await valueWithin(released(), 'what the model held being let go')
  }
}

async function drain(iterator: AsyncIterator<ModelEvent>, into: ModelEvent[]): Promise<void> {
  for (;;) {
    const step = await iterator.next()
    if (step.done) return
    into.push(step.value)
  }
}

async function firstDelta(iterator: AsyncIterator<ModelEvent>): Promise<void> {
  for (;;) {
    const step = await valueWithin(iterator.next(), 'the first piece of the answer')
    if (step.done) throw new Error('the stream ended before it had said anything')
    if (step.value.type === 'block_delta') return
  }
}

async function isOver(iterator: AsyncIterator<ModelEvent>): Promise<void> {
  const again = await within(iterator.next(), 'an answer of next() behind the end')
  if (again.ok && !again.value.done) throw new Error(`the stream had ended, and then came ${JSON.stringify(again.value.value)}`)
}

function isModelError(error: unknown, codes: readonly string[]): Readonly<Record<string, unknown>> {
  if (!AgentError.isInstance(error) || typeof (error as { readonly retryable?: unknown }).retryable !== 'boolean')
    throw new Error(`expected a ModelError with the code ${codes.join(' or ')}, got ${String(error)}`, { cause: error })
  if (!codes.includes(error.code))
    throw new Error(`expected the code ${codes.join(' or ')}, got ${error.code} (${error.message})`, { cause: error })
  return error as unknown as Readonly<Record<string, unknown>>
}

function same(got: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)]
  if (a !== b) throw new Error(`${what}: expected ${b?.slice(0, 600)}, got ${a?.slice(0, 600)}`)
}
