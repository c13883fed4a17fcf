import { AgentError, InputError } from '../errors.ts'
import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { onAbort, reasonOf } from '../util/abort.ts'
import { aText, anObject, checkOptions, isOptions, oneOf, wholeFrom } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import type { JsonValue } from '../util/json.ts'

/** One answer in short form. */
export type ScriptedAnswer = {
  readonly text?: string | undefined
  readonly reasoning?: string | undefined
  /** `id` stands for the provider's own. A string as `input` is sent as it is: that is how bad JSON is scripted. */
  readonly calls?: readonly { readonly name: string; readonly input: JsonValue; readonly id?: string | undefined }[] | undefined
  readonly stopReason?: ModelStopReason | undefined
  /** Default: 10 tokens in, 5 out. */
  readonly usage?: Partial<Usage> | undefined
  /** Throw this, after `after` events of the answer; without `after` before it says anything, so there is no `text` then. Not with `hang`. */
  readonly error?: Error | undefined
  /** Say no more, after `after` events of the answer (without it nothing at all), until the signal fires, or for ever with `deaf`. */
  readonly hang?: boolean | 'deaf' | undefined
  /** Each word of a text is one event; before the first stand `message_start` and `block_start`. `Infinity` is not needed: more than there are is all. */
  readonly after?: number | undefined
}

/** One call of the model: its events, an answer in short form, or a function of the request that gives either. */
export type ScriptStep = readonly ModelEvent[] | ScriptedAnswer | ((request: ModelRequest) => ScriptStep)

/** A model that follows a script, and notes what it is asked. */
export interface ScriptedModel extends Model {
  /** The requests so far. */
  readonly requests: readonly ModelRequest[]
  /** @throws {AgentError} when steps of the script were not used. */
  assertComplete(): void
}

/**
 * A model that says what the test wrote, one step for each call. A call beyond the script is an error, which the run
 * reports; `assertComplete()` complains about steps that were not used.
 */
export function scriptedModel(...steps: ScriptStep[]): ScriptedModel {
  steps.forEach((step, index) => checkStep(step, `scriptedModel(): step ${index + 1}`))
  const requests: ModelRequest[] = []
  return {
    provider: 'scripted',
    id: 'scripted',
    requests,
    async *stream(request, { signal }) {
      const step = steps[requests.length]
      requests.push(request)
      if (step === undefined)
        throw new AgentError(`The script has ${steps.length} steps, and the model was called a ${requests.length}. time.`, {
          code: 'script_exhausted',
        })
      yield* play(step, request, signal)
    },
    assertComplete() {
      if (requests.length < steps.length)
        throw new AgentError(`The script has ${steps.length} steps, but the model was called only ${requests.length} times.`, {
          code: 'script_unused',
        })
    },
  }
}

const stopReasons = Object.keys({
  end_turn: 0,
  tool_use: 0,
  max_tokens: 0,
  stop_sequence: 0,
  content_filtered: 0,
  guardrail_intervened: 0,
  refusal: 0,
  pause_turn: 0,
  context_window_exceeded: 0,
} satisfies Record<ModelStopReason, 0>)

const rules: RulesOf<ScriptedAnswer> = {
  text: aText,
  reasoning: aText,
  calls: [
    'a list of calls { name, input, id? }',
    (value) =>
      Array.isArray(value) && value.every((call) => isObject(call) && typeof call['name'] === 'string' && call['input'] !== undefined),
  ],
  stopReason: oneOf(...stopReasons),
  usage: anObject,
  error: ['an Error', (value) => value instanceof Error],
  hang: oneOf(true, false, 'deaf'),
  after: wholeFrom(0, 'events'),
}

const callKeys = ['name', 'input', 'id']
const usageKeys = Object.keys({
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
} satisfies Required<Usage>)
/** What an answer says, none of which is heard of one that fails or hangs before its first event. */
const said = ['text', 'reasoning', 'calls', 'stopReason', 'usage'] as const

/** A slip in a script shows as a test that passes, or fails for another reason. */
function checkStep(step: unknown, place: string): void {
  if (typeof step === 'function' || (Array.isArray(step) && step.every((event) => isObject(event) && typeof event['type'] === 'string')))
    return
  if (!isOptions(step))
    throw new InputError(`${place}: expected an answer such as { text: 'Hi.' }, a list of events or a function, got ${describe(step)}.`)
  checkOptions(`${place}()`, step, rules)
  const { calls = [], usage = {} } = step as ScriptedAnswer
  for (const call of calls) checkKeys(place, 'a call', call, callKeys)
  checkKeys(place, '`usage`', usage, usageKeys)
  checkTogether(place, step)
}

function checkKeys(place: string, what: string, given: object, known: readonly string[]): void {
  const wrong = Object.keys(given).find((key) => !known.includes(key))
  if (wrong !== undefined)
    throw new InputError(`${place}: ${what} has no "${wrong}".${didYouMean(wrong, known)} It has ${known.join(', ')}.`)
}

/** One of two that exclude each other would be passed over, and the test would show another thing than it says. */
function checkTogether(place: string, { error, hang, after, ...rest }: ScriptedAnswer): void {
  const isCut = error !== undefined || (hang !== undefined && hang !== false)
  if (error !== undefined && hang !== undefined && hang !== false)
    throw new InputError(`${place}: an answer ends in \`error\` or in \`hang\`, got both. Leave one out.`)
  if (after !== undefined && error === undefined && hang === undefined)
    throw new InputError(`${place}: \`after\` says where \`error\` or \`hang\` comes, got neither. Add one, or leave \`after\` out.`)
  const unheard = said.find((name) => rest[name] !== undefined)
  if (isCut && after === undefined && unheard !== undefined)
    throw new InputError(
      `${place}: with \`${error === undefined ? 'hang' : 'error'}\` alone nothing of \`${unheard}\` is said. Leave it out, or add \`after\`, the number of events that come first.`,
    )
}

async function* play(step: ScriptStep, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  if (typeof step === 'function') {
    const made = step(request)
    checkStep(made, 'scriptedModel(): what a step gives')
    return yield* play(made, request, signal)
  }
  if (Array.isArray(step)) return yield* until(signal, step as readonly ModelEvent[])
  const answer = step as ScriptedAnswer
  const events = eventsOf(answer)
  const cut = answer.error || answer.hang ? (answer.after ?? 0) : events.length
  if (answer.hang === 'deaf') yield* events.slice(0, cut)
  else yield* until(signal, events.slice(0, cut))
  if (answer.error) throw answer.error
  if (answer.hang) await (answer.hang === 'deaf' ? new Promise(() => {}) : untilAborted(signal))
}

/** As a provider does: nothing comes behind the signal. */
function* until(signal: AbortSignal, events: readonly ModelEvent[]): Generator<ModelEvent, void, void> {
  for (const event of events) {
    if (signal.aborted) throw reasonOf(signal)
    yield event
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => void onAbort(signal, () => reject(reasonOf(signal))))

/** The events of an answer in short form, as a provider would stream them: text by words, inputs in two pieces. */
export function eventsOf({ text, reasoning, calls = [], stopReason, usage, error, hang }: ScriptedAnswer): readonly ModelEvent[] {
  const events: ModelEvent[] = [{ type: 'message_start' }]
  let index = 0
  if (reasoning !== undefined) {
    events.push({ type: 'block_start', index, block: { type: 'reasoning' } })
    events.push({ type: 'block_delta', index, delta: { type: 'reasoning', text: reasoning } }, { type: 'block_stop', index: index++ })
  }
  const said = text ?? ((error ?? hang) && calls.length === 0 ? 'so far so good' : undefined)
  if (said !== undefined) {
    events.push({ type: 'block_start', index, block: { type: 'text' } })
    for (const word of said.split(/(?<= )/)) events.push({ type: 'block_delta', index, delta: { type: 'text', text: word } })
    events.push({ type: 'block_stop', index: index++ })
  }
  for (const { name, input, id } of calls) {
    const json = typeof input === 'string' ? input : JSON.stringify(input)
    const half = Math.ceil(json.length / 2)
    events.push({ type: 'block_start', index, block: { type: 'tool_use', name, ...(id !== undefined && { id }) } })
    for (const piece of [json.slice(0, half), json.slice(half)])
      events.push({ type: 'block_delta', index, delta: { type: 'tool_input', text: piece } })
    events.push({ type: 'block_stop', index: index++ })
  }
  events.push({ type: 'message_stop', stopReason: stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn') })
  events.push({ type: 'metadata', usage: usage ?? { inputTokens: 10, outputTokens: 5 } })
  return events
}
