import { InputError } from '../../errors.ts'
import type { Model } from '../../models/model.ts'
import type { Tool } from '../../tools/tool.ts'
import type { Clock } from '../../util/clock.ts'
import { systemClock } from '../../util/clock.ts'
import type { Ids } from '../../util/ids.ts'
import { randomIds } from '../../util/ids.ts'
import type { JsonValue } from '../../util/json.ts'
import { cassetteOf } from './cassette.ts'
import type { Cassette } from './cassette.ts'
import { readCassetteFile, writeCassetteFile } from './cassette-file.ts'
import { effects } from './effects.ts'
import { recordedClock, recordedIds, recordedSignal } from './recorded-clock.ts'
import { recordedModel } from './recorded-model.ts'
import { recordedTool } from './recorded-tool.ts'
import { RecordingTape } from './recording-tape.ts'
import { ReplayingTape } from './replaying-tape.ts'
import { describe } from '../../util/describe.ts'
import { aBoolean, aBound, aClock, aFilledText, anything, checkOptions, having, isOptions, texts } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'

export type RecorderOptions = {
  /** Where the cassette lies (JSON Lines). Written by `close()`. */
  readonly file?: string | undefined
  /** What to replay, instead of a file. */
  readonly cassette?: Cassette | undefined
  /** `auto`, the default: replay what is there, record where nothing is. With `replay` a missing file is an error: so in CI. */
  readonly mode?: 'auto' | 'record' | 'replay' | undefined
  /** In a replay, tools that are really run, and whose progress and results must be as recorded: names, or `true` for all. Default none. */
  readonly live?: boolean | readonly string[] | undefined
  /** How long a replay may stand still, in milliseconds, before it is said what it waits for. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /** What is recorded. Default: the system's. In a replay it times `timeoutMs` alone. */
  readonly clock?: Clock | undefined
  /** What is recorded. Default: random ids. */
  readonly ids?: Ids | undefined
}

const rules: RulesOf<RecorderOptions> = {
  file: ['the path of a file', (value) => aFilledText[1](value) && !(value as string).includes('\0')],
  cassette: ['a cassette { format, version, entries }', (value) => isOptions(value) && Array.isArray(value['entries'])],
  // Says itself what it must be.
  mode: anything,
  live: ['true, false or a list of names of tools', (value) => aBoolean[1](value) || texts[1](value)],
  timeoutMs: ['a number of milliseconds above 0', aBound[1]],
  clock: aClock,
  ids: having('an object', 'next'),
}

/** Wraps what a run has of the outside, see `recorder()`. */
export interface Recorder {
  readonly mode: 'record' | 'replay'
  /** Of the run. */
  readonly clock: Clock
  /** Of the run. */
  readonly ids: Ids
  /** What is there by now; in a replay all of it. */
  readonly cassette: Cassette
  /** The model to give to the agent. A function is called to record alone: with it a replay needs neither key nor package. */
  model(model: Model | (() => Model)): Model
  /** The tool to give to the agent. An agent's tool is given back as it is: record its model and its tools. */
  tool<T extends Tool>(tool: T): T
  /** Anything else that a hook or a plug-in gets from outside: what it resolves to or throws is recorded. */
  effect<T extends JsonValue>(name: string, run: () => T | Promise<T>): Promise<T>
  /** The signal to give to `invoke()`: it fires in the replay where it did. Without one in a replay it is the recording's alone. */
  signal(signal?: AbortSignal): AbortSignal
  /**
   * Ends it: a recording is written to its file.
   *
   * @throws {CassetteError} in a replay: when it parted from the recording, or when some of that was not used.
   */
  close(): Promise<void>
}

/**
 * Turns a live run into a cassette, plain JSON, and replays it: the same events, messages, ids and times, without model, network
 * or tools. A replay that does not do what was recorded is told where they part, by a `CassetteError`.
 *
 * ```ts
 * const tape = recorder({ file: 'test/cassettes/weather.jsonl' })
 * const agent = new Agent({
 *   model: tape.model(() => anthropic('claude-sonnet-4-6')),
 *   tools: [tape.tool(weather)],
 *   clock: tape.clock,
 *   ids: tape.ids,
 * })
 * const { events } = await collect(agent.stream('Is it warm in Tokyo?'))
 * await tape.close()
 * ```
 *
 * A cassette has what the model was asked and said, what tools were given and gave, and when. It has no headers and no keys: those
 * never pass the model's port. What prompts and results say stands in it as it is.
 *
 * @throws {InputError} for options that do not go together, {CassetteError} for a file that is no cassette.
 */
export function recorder(options: RecorderOptions = {}): Recorder {
  checkOptions('recorder', options, rules)
  const { file, live = false, clock = systemClock, ids = randomIds, timeoutMs = 10_000 } = options
  const cassette = cassetteToReplay(options)
  const replaying = cassette && new ReplayingTape(cassette.entries, { clock, timeoutMs })
  const tape = replaying ?? new RecordingTape()
  const effect = effects(tape)
  const counter = (): (() => number) => {
    let count = 0
    return () => ++count
  }
  const [nextCall, nextSignal] = [counter(), counter()]
  const taping = {
    tape,
    nextRun: counter(),
    isLive: (name: string) => (typeof live === 'boolean' ? live : live.includes(name)),
  }
  return {
    mode: tape.mode,
    clock: recordedClock(clock, tape),
    ids: recordedIds(ids, tape),
    get cassette() {
      return cassette ?? cassetteOf([...tape.entries])
    },
    model: (model) => recordedModel(model, tape, nextCall, effect),
    tool: (tool) => recordedTool(tool, taping),
    effect,
    signal: (signal = new AbortController().signal) => recordedSignal(signal, tape, nextSignal()),
    async close() {
      await tape.settle()
      const error = replaying?.mismatch ?? replaying?.unused()
      if (error) throw error
      if (!replaying && file !== undefined) writeCassetteFile(file, cassetteOf(tape.entries))
    },
  }
}

/** What there is to replay; `undefined` to record. */
function cassetteToReplay({ file, cassette, mode = 'auto' }: RecorderOptions): Cassette | undefined {
  if (!['auto', 'record', 'replay'].includes(mode))
    throw new InputError(`recorder({ mode }): expected "auto", "record" or "replay", got ${describe(mode)}.`)
  if (file !== undefined && cassette !== undefined)
    throw new InputError('recorder(): give `file` or `cassette`, not both: there would be two recordings to replay.')
  if (mode === 'record') return undefined
  const found = cassette ?? (file === undefined ? undefined : readCassetteFile(file))
  if (found || mode === 'auto') return found
  throw new InputError(
    file === undefined
      ? 'recorder({ mode: "replay" }) needs the `file` or the `cassette` to replay.'
      : `recorder({ mode: "replay" }): there is no recording ${file}. Record it first, with mode "record".`,
  )
}
