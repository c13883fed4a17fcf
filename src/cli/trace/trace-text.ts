import type { TracedRuns, TracedSpan } from '../../telemetry/index.ts'
import { duration } from '../duration.ts'
import { showControls } from '../sanitise.ts'
import type { Style } from '../style.ts'

/** Levels below this are shown at the same depth: a file may say anything. */
const deepest = 40

/** The runs of a trace for people: a line for each span, below that of the one it stands in. */
export function traceText({ spans }: Pick<TracedRuns, 'spans'>, style: Style): string {
  if (spans.length === 0) return 'There is no run in this trace.\n'
  const lines = spans.flatMap((root) => [`${style.bold(timeOf(root.startedAt))}\n`, ...linesBelow(root, style), '\n'])
  return `${lines.join('')}${totalLine(spans)}\n`
}

function linesBelow(root: TracedSpan, style: Style): readonly string[] {
  const lines: string[] = []
  for (const { span, depth } of walk([root])) {
    const offset = `+${duration(Math.max(0, span.startedAt - root.startedAt))}`.padStart(10)
    const facts = factsOf(span).map((fact) => style.dim(fact))
    const parts = [showControls(span.name), ...facts, ...problemsOf(span, style)]
    lines.push(`${style.dim(offset)}  ${'  '.repeat(Math.min(depth, deepest))}${parts.join('  ')}\n`)
  }
  return lines
}

/** Without a call for each level: a file may be as deep as it is long. */
function* walk(roots: readonly TracedSpan[]): Generator<{ readonly span: TracedSpan; readonly depth: number }> {
  const waiting = roots.map((span) => ({ span, depth: 0 })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    for (const span of [...next.span.children].reverse()) waiting.push({ span, depth: next.depth + 1 })
  }
}

function factsOf({ durationMs, attributes, link }: TracedSpan): readonly string[] {
  const attempt = numberOf(attributes['lena.attempt'])
  const reason = attributes['lena.stop_reason'] ?? [attributes['gen_ai.response.finish_reasons'] ?? []].flat()[0]
  const cost = numberOf(attributes['lena.cost_usd'])
  return [
    ...(durationMs === undefined ? [] : [duration(durationMs)]),
    ...tokensOf(attributes),
    ...(cost === undefined ? [] : [dollars(cost)]),
    ...(typeof reason === 'string' ? [showControls(reason)] : []),
    ...(attempt !== undefined && attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(attributes['lena.interrupted'] === true ? ['waits for a person'] : []),
    ...(attributes['lena.discarded'] === true ? ['withdrawn by the model'] : []),
    ...(link === undefined ? [] : ['goes on with an earlier run']),
  ]
}

function tokensOf(attributes: TracedSpan['attributes']): readonly string[] {
  const input = numberOf(attributes['gen_ai.usage.input_tokens'])
  const output = numberOf(attributes['gen_ai.usage.output_tokens'])
  if (input === undefined && output === undefined) return []
  const cached = numberOf(attributes['gen_ai.usage.cache_read.input_tokens'])
  return [`${count(input ?? 0)} in${cached ? ` (${count(cached)} cached)` : ''}, ${count(output ?? 0)} out`]
}

function problemsOf({ durationMs, error }: TracedSpan, style: Style): readonly string[] {
  if (durationMs === undefined) return [style.yellow('open: it had not ended where the trace ends')]
  if (!error) return []
  const said = error.message === undefined ? '' : ` (${showControls(error.message)})`
  return [style.red(`failed: ${showControls(error.type)}${said}`)]
}

/** Of the calls of models alone: what an agent used is the sum of them. */
function totalLine(roots: readonly TracedSpan[]): string {
  const calls = [...walk(roots)].flatMap(({ span }) => (span.operation === 'chat' ? [span.attributes] : []))
  const sum = (name: string): number => calls.reduce((all, attributes) => all + (numberOf(attributes[name]) ?? 0), 0)
  const priced = calls.filter((attributes) => numberOf(attributes['lena.cost_usd']) !== undefined).length
  const known = priced === calls.length ? '' : ` (the price of ${calls.length - priced} of ${calls.length} calls is not known)`
  const cost = priced === 0 ? '' : `, ${dollars(sum('lena.cost_usd'))}${known}`
  const runs = `${roots.length} ${roots.length === 1 ? 'run' : 'runs'}, ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} of a model`
  return `${runs}, ${count(sum('gen_ai.usage.input_tokens'))} tokens in, ${count(sum('gen_ai.usage.output_tokens'))} out${cost}.`
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** `12,345`, in every language of the machine. */
const count = (value: number): string => String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ',')

const dollars = (value: number): string => `$${value.toFixed(value < 0.1 ? 4 : 2)}`

/** To the second, the same wherever it is read. */
const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
