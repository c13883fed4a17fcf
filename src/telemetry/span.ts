export type AttributeValue = string | number | boolean | readonly string[]
/** By the names of the conventions. Undefined ones are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

export type Operation = 'invoke_agent' | 'chat' | 'execute_tool'

/** Where something happens: a span, or whatever is active outside of a run. Only the recorder that gave it understands it. */
export type Place = object | undefined

export type SpanError = {
  /** Of few values: a code, or the name of an error. */
  readonly type: string
  /** May quote what was said: a content. */
  readonly message?: string | undefined
}

export type SpanStart = {
  readonly operation: Operation
  readonly name: string
  /** `client`: it calls a server. */
  readonly kind: 'internal' | 'client'
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly attributes: Attributes
  readonly parent: Place
  /** What this one goes on with. */
  readonly link?: OpenSpan | undefined
}

/** A span that has begun. */
export interface OpenSpan {
  readonly place: Place
  /** Is what is set kept? Contents are not even made where they are not. */
  readonly isRecording: boolean
  set(attributes: Attributes): void
  /** Tells of something that happened in it. Left out where nobody takes events: then they are not even made. */
  readonly event?: ((name: string, attributes: Attributes, at: number) => void) | undefined
  /** Runs the function with this span as the active one. */
  run<T>(fn: () => T): T
  /** @param end.exception what a record of a log tells of the failure, where somebody takes those. Left out where none is wanted. */
  end(end: { readonly at: number; readonly error?: SpanError | undefined; readonly exception?: SpanError | undefined }): void
}

/** Takes the spans of runs. What it does must not throw, and must not wait. */
export interface Recorder {
  /** Is anybody there to take them? Asked before each run, and where nobody is nothing is observed. */
  isOn(): boolean
  /** Milliseconds since the epoch. */
  now(): number
  /** Where the code stands that runs now. */
  here(): Place
  begin(start: SpanStart): OpenSpan
}
