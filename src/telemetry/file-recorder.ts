import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../util/clock.ts'
import type { LineWriter } from './line-writer.ts'
import type { Attributes, AttributeValue, OpenSpan, Place, Recorder, SpanStart } from './span.ts'
import type { TraceLine } from './trace-lines.ts'
import { traceVersion } from './trace-lines.ts'

/** The span that is active, for all files: an agent in a tool may write to another one. */
const active = new AsyncLocalStorage<FileSpan>()

/** Spans as lines of a file, without OpenTelemetry. */
export class FileRecorder implements Recorder {
  readonly #writer: LineWriter
  readonly #clock: Pick<Clock, 'now'>
  readonly #nextId: (bytes: number) => string

  constructor(writer: LineWriter, clock: Pick<Clock, 'now'>, nextId: (bytes: number) => string) {
    this.#writer = writer
    this.#clock = clock
    this.#nextId = nextId
  }

  isOn(): boolean {
    return !this.#writer.isFull
  }

  now(): number {
    return this.#clock.now()
  }

  here(): Place {
    return active.getStore()
  }

  begin({ operation, name, at, attributes, parent, link }: SpanStart): OpenSpan {
    const above = parent instanceof FileSpan ? parent : undefined
    const span = this.#nextId(8)
    const trace = above?.trace ?? this.#nextId(16)
    const linked = link instanceof FileSpan ? link.id : undefined
    const opened = new FileSpan(trace, span, (line) => this.#write(line))
    this.#write({
      v: traceVersion,
      type: 'begin',
      trace,
      span,
      ...(above && { parent: above.id }),
      ...(linked !== undefined && { link: linked }),
      operation,
      name,
      at,
      attributes: withoutGaps(attributes),
    })
    return opened
  }

  #write(line: TraceLine): void {
    this.#writer.write(JSON.stringify(line))
  }
}

class FileSpan implements OpenSpan {
  readonly trace: string
  readonly id: string
  readonly isRecording = true
  readonly #write: (line: TraceLine) => void
  #attributes: Attributes = {}

  constructor(trace: string, id: string, write: (line: TraceLine) => void) {
    this.trace = trace
    this.id = id
    this.#write = write
  }

  get place(): Place {
    return this
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes }
  }

  run<T>(fn: () => T): T {
    return active.run(this, fn)
  }

  end({ at, error }: Parameters<OpenSpan['end']>[0]): void {
    const attributes = withoutGaps(this.#attributes)
    this.#write({ v: traceVersion, type: 'end', span: this.id, at, attributes, ...(error && { error }) })
  }
}

const withoutGaps = (attributes: Attributes): Readonly<Record<string, AttributeValue>> =>
  Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, AttributeValue] => entry[1] !== undefined))
