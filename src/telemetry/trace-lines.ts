import type { AttributeValue, Operation } from './span.ts'

/** Of the format. A reader passes over lines of another one, and says so. */
export const traceVersion = 1

/** A line of a trace file. One with `begin` and none with `end` is a span that was open when the process ended. */
export type TraceLine =
  | {
      readonly v: typeof traceVersion
      readonly type: 'begin'
      readonly trace: string
      readonly span: string
      readonly parent?: string | undefined
      /** The span that this one goes on with. */
      readonly link?: string | undefined
      readonly operation: Operation
      readonly name: string
      /** Milliseconds since the epoch. */
      readonly at: number
      readonly attributes: Readonly<Record<string, AttributeValue>>
    }
  | {
      readonly v: typeof traceVersion
      readonly type: 'end'
      readonly span: string
      readonly at: number
      readonly attributes: Readonly<Record<string, AttributeValue>>
      readonly error?: { readonly type: string; readonly message?: string | undefined } | undefined
    }
  /** The file is as long as it may be: what came then is not in it. */
  | { readonly v: typeof traceVersion; readonly type: 'full'; readonly at: number }
