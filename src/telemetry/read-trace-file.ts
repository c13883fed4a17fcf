import { createReadStream } from 'node:fs'
import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import type { AttributeValue, Operation } from './span.ts'
import { traceVersion } from './trace-lines.ts'

/** A span as it was written. */
export type TracedSpan = {
  readonly trace: string
  readonly span: string
  /** The span that this one goes on with. */
  readonly link: string | undefined
  readonly operation: Operation
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds; `undefined` when it was open at the end of the file: its process runs still, or ended before it did. */
  readonly durationMs: number | undefined
  readonly attributes: Readonly<Record<string, AttributeValue>>
  readonly error: { readonly type: string; readonly message?: string | undefined } | undefined
  readonly children: readonly TracedSpan[]
}

export type TracedRuns = {
  /** The spans that stand in no other, in the order in which they began. */
  readonly spans: readonly TracedSpan[]
  /** The last line has no end: it was being written when the process ended. */
  readonly isTorn: boolean
  /** The file is as long as it was allowed to be, and what came then is not in it. */
  readonly isFull: boolean
  /** Lines of another version of the format. */
  readonly otherVersions: number
  /** Lines that are none of a trace. */
  readonly damaged: number
}

type Making = { -readonly [K in keyof TracedSpan]: TracedSpan[K] } & { readonly children: Making[] }
type Known = Map<string, { readonly made: Making; readonly depth: number }>

/** Agents do not call each other as deep as this, but a file may say that they do. */
const deepest = 200

/** A line that is longer is none of ours. */
const maxLineChars = 16 * 1024 * 1024

/**
 * Reads what `traceFile()` wrote: all of it that can be read.
 *
 * @throws {InputError} without a path; what the file system throws.
 */
export async function readTraceFile(path: string): Promise<TracedRuns> {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new InputError(`readTraceFile() needs the path of a file that traceFile() wrote, got ${describe(path)}.`)
  const roots: Making[] = []
  const known: Known = new Map()
  const counts = { isTorn: false, isFull: false, otherVersions: 0, damaged: 0 }
  let rest = ''
  let passing = false
  const take = (text: string, isLast: boolean): void => {
    if (text.trim() === '') return
    const line = parsed(text)
    if (line === undefined) {
      if (isLast) counts.isTorn = true
      else counts.damaged++
    } else if (line['v'] !== traceVersion) {
      if ('v' in line) counts.otherVersions++
      else counts.damaged++
    } else if (line['type'] === 'full') counts.isFull = true
    else if (!(line['type'] === 'begin' ? begin(line, known, roots) : line['type'] === 'end' && end(line, known))) counts.damaged++
  }
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = chunk.split('\n')
    lines[0] = passing ? '' : rest + lines[0]!
    if (passing && lines.length === 1) continue
    passing = false
    rest = lines.pop()!
    for (const line of lines) take(line, false)
    if (rest.length <= maxLineChars) continue
    counts.damaged++
    rest = ''
    passing = true
  }
  take(rest, true)
  return { spans: roots, ...counts }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return isObject(line) ? line : undefined
  } catch {
    return undefined
  }
}

function begin(line: Record<string, unknown>, known: Known, roots: Making[]): boolean {
  const { trace, span, parent, link, operation, name, at, attributes } = line
  if (typeof trace !== 'string' || typeof span !== 'string' || typeof name !== 'string' || !isTime(at) || !isOperation(operation))
    return false
  const made: Making = {
    trace,
    span,
    link: typeof link === 'string' ? link : undefined,
    operation,
    name,
    startedAt: at,
    durationMs: undefined,
    attributes: attributesOf(attributes),
    error: undefined,
    children: [],
  }
  // A parent that is in another file makes no difference to the tree of this one.
  const above = typeof parent === 'string' ? known.get(parent) : undefined
  const depth = above && above.depth < deepest ? above.depth + 1 : 0
  ;(above && depth > 0 ? above.made.children : roots).push(made)
  known.set(span, { made, depth })
  return true
}

function end(line: Record<string, unknown>, known: Known): boolean {
  const { span, at, attributes, error } = line
  const open = typeof span === 'string' ? known.get(span)?.made : undefined
  if (!open || !isTime(at)) return false
  open.durationMs = Math.max(0, at - open.startedAt)
  open.attributes = { ...open.attributes, ...attributesOf(attributes) }
  if (isObject(error) && typeof error['type'] === 'string')
    open.error = { type: error['type'], ...(typeof error['message'] === 'string' && { message: error['message'] }) }
  return true
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 8.64e15

const isOperation = (value: unknown): value is Operation => value === 'invoke_agent' || value === 'chat' || value === 'execute_tool'

function attributesOf(value: unknown): Readonly<Record<string, AttributeValue>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, AttributeValue] => isAttribute(entry[1])))
}

const isAttribute = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((each) => typeof each === 'string'))
