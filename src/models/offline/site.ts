import { listed, shortened } from './language/english.ts'
import type { Call, Outcome, Work } from './work.ts'
import { keyOf } from './work.ts'

/** What came of one thing that was asked for. */
export type Finding = {
  /** The answer, in Markdown. Nothing when there is nothing to say. */
  readonly say: string
  /** What "it", "the result", "the number" means to a later step. */
  readonly value?: string | undefined
  /** The value is not all there is, or not exactly: it must not be written as if it were. */
  readonly partial?: boolean | undefined
  /** The files it found: "them". */
  readonly files?: readonly string[] | undefined
  /** What "how many" means, where that is not its lines. */
  readonly amount?: Amount | undefined
  /** Of a command that ran. */
  readonly exitCode?: number | undefined
  readonly failed?: boolean | undefined
}

export type Amount = { readonly number: number; readonly said: string }

/** Where work is done. */
export type Site = {
  /** The names of the tools that are offered. */
  readonly tools: ReadonlySet<string>
  /** What was looked at in this plan and has not been changed by it since. */
  readonly memory: Map<string, Outcome>
  /** What the step before found. */
  readonly previous: Finding | undefined
  /** A later step is after what this one finds: all of it is wanted, and only failures are told. */
  readonly quiet: boolean
}

/** A value, or why there is none, in a sentence for the user. */
export type Got<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly said: string; readonly outcome?: Outcome | undefined }

export const got = <T>(value: T): Got<T> => ({ ok: true, value })
export const lacking = (said: string, outcome?: Outcome): Got<never> => ({ ok: false, said, outcome })
export const failed = (said: string): Finding => ({ say: said, failed: true })

/** Makes a call that only looks. What was seen before in this plan is not looked at again. */
export function* look(site: Site, call: Call): Work<Outcome> {
  const key = keyOf(call)
  const seen = site.memory.get(key)
  if (seen) return seen
  const [outcome] = yield [call]
  site.memory.set(key, outcome!)
  return outcome!
}

/** Makes a call that may change something: what was seen before may no longer be so. */
export function* act(site: Site, call: Call): Work<Outcome> {
  const [outcome] = yield [call]
  site.memory.clear()
  return outcome!
}

/** None of these tools is offered, and one is needed. `aim`: what it is for, as an infinitive. */
export function notOffered(tools: readonly string[], aim: string): Got<never> {
  const names = tools.map((tool) => `\`${tool}\``).join(' or ')
  return lacking(`To ${aim} I would need the tool ${names}, and ${tools.length === 1 ? 'it is not' : 'none of them is'} offered here.`)
}

/** What a tool said of its failure, in one sentence that gives its words. */
export function refusal(outcome: Outcome, aim: string): Got<never> {
  const words = shortened(outcome.text.replace(/^Error: /, ''), 500)
  const said = words === '' ? '' : `: ${words}`
  switch (outcome.code) {
    case 'denied':
      return lacking(`I was not allowed to ${aim}${said || '.'}`, outcome)
    case 'cancelled':
      return lacking(`The attempt to ${aim} was cancelled${said || '.'}`, outcome)
    case 'timeout':
      return lacking(`The attempt to ${aim} took too long${said || '.'}`, outcome)
    case 'unknown_outcome':
    case 'not_answered':
      return lacking(`I do not know what came of the attempt to ${aim}${said || '.'}`, outcome)
    default:
      return lacking(`I could not ${aim}${said || ', and the tool did not say why.'}`, outcome)
  }
}

/** Several findings as one: all that they say, and their values a line each. */
export function joined(findings: readonly Finding[]): Finding {
  if (findings.length === 1) return findings[0]!
  const values = findings.map(({ value }) => value).filter((value) => value !== undefined)
  const files = findings.flatMap((finding) => finding.files ?? [])
  return {
    say: [...new Set(findings.map(({ say }) => say).filter((say) => say !== ''))].join('\n\n'),
    value: values.length > 0 ? values.join('\n') : undefined,
    files: files.length > 0 ? files : undefined,
    amount: amountOf(findings),
    partial: findings.some((finding) => finding.partial),
    failed: findings.some((finding) => finding.failed),
  }
}

function amountOf(findings: readonly Finding[]): Amount | undefined {
  const amounts = findings.flatMap(({ amount }) => amount ?? [])
  if (amounts.length === 0) return undefined
  return { number: amounts.reduce((sum, { number }) => sum + number, 0), said: listed(amounts.map(({ said }) => said)) }
}
