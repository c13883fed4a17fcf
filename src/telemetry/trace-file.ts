import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { AgentError, InputError } from '../errors.ts'
import type { Plugin } from '../hooks/hooks.ts'
import type { PriceTable } from '../models/catalogue/prices.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import type { ContentFilter } from './contents.ts'
import { Contents } from './contents.ts'
import { FileRecorder } from './file-recorder.ts'
import { LineWriter } from './line-writer.ts'
import { priceLookUp } from './observation.ts'
import { Observer } from './observer.ts'
import { traceVersion } from './trace-lines.ts'
import { withinTime } from './within-time.ts'

/** How long the end of a run may wait for the disk, in milliseconds. */
const writtenMs = 5000

export type TraceFileOptions = {
  /** A file that is appended to; made with mode 0600, and the folders to it with 0700. */
  readonly path: string
  /** Keep prompts, answers, inputs and results of tools too. A function may change what is kept, or leave it out by giving `undefined`. Default: false. */
  readonly content?: boolean | ContentFilter | undefined
  /** Of one content. What is longer is cut, and of a history the newest messages are kept. Default 16,384. */
  readonly maxContentChars?: number | undefined
  /** When the file is longer than this no more is written, and its last line says so. Default 64 MiB. */
  readonly maxBytes?: number | undefined
  /** Prices that go before those that are built in. */
  readonly prices?: PriceTable | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
  /** Gives an id of so many bytes, in hexadecimal. Default: random. */
  readonly nextId?: ((bytes: number) => string) | undefined
}

const known = ['path', 'content', 'maxContentChars', 'maxBytes', 'prices', 'clock', 'nextId']

/**
 * Writes each run to a file, one JSON object a line: the spans that `telemetry()` would make, with the same names, and without OpenTelemetry.
 * `readTraceFile()` and `lena trace FILE` show it as a tree. Several agents and processes may append to one file.
 *
 * A file that cannot be written is a warning of the run, which goes on.
 *
 * @throws {InputError} for options that cannot be meant.
 */
export function traceFile(options: TraceFileOptions): Plugin {
  checkOptions(options)
  const { content, maxContentChars = 16_384, maxBytes = 64 * 1024 * 1024, prices, clock = systemClock } = options
  const nextId = options.nextId ?? ((bytes: number) => randomBytes(bytes).toString('hex'))
  // Now: the working folder of the process may be another one later.
  const path = resolve(options.path)
  let problem: AgentError | undefined
  const onError = (cause: unknown): void => {
    const why = cause instanceof Error ? cause.message : String(cause)
    problem ??= new AgentError(`The trace ${JSON.stringify(path)} is not written any more: ${why}`, { code: 'trace_not_written', cause })
  }
  const lastLine = (): string => JSON.stringify({ v: traceVersion, type: 'full', at: clock.now() })
  const writer = new LineWriter({ path, maxBytes, lastLine, onError })
  const contents = content ? new Contents(typeof content === 'function' ? content : undefined, maxContentChars) : undefined
  const observer = new Observer(
    new FileRecorder(writer, clock, nextId),
    { conventions: 'core_1_45', contents, pricesOf: priceLookUp(prices) },
    onError,
  )
  return {
    name: 'trace_file',
    setup: (agent) => observer.install(agent),
    async flush({ signal }) {
      observer.leave(signal)
      await withinTime(writer.written(), writtenMs)
      const told = problem
      problem = undefined
      // Becomes a warning of the run.
      if (told) throw told
    },
  }
}

function checkOptions(options: TraceFileOptions): void {
  if (!isObject(options) || typeof options['path'] !== 'string' || options['path'] === '')
    throw new InputError('traceFile() needs the path of a file: traceFile({ path: "run.jsonl" }).')
  for (const key of Object.keys(options))
    if (!known.includes(key))
      throw new InputError(`There is no option "${key}" of traceFile().${didYouMean(key, known)} Known: ${known.join(', ')}.`)
  const { content, maxContentChars, maxBytes } = options
  if (content !== undefined && typeof content !== 'boolean' && typeof content !== 'function')
    throw new InputError(`\`content\` must be true, false or a function (name, content) => content, got ${typeof content}.`)
  for (const [name, value] of Object.entries({ maxContentChars, maxBytes }))
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw new InputError(`\`${name}\` must be a positive number, got ${String(value)}.`)
}
