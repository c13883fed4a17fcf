import { InputError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'
import { Glob } from './glob.ts'

/** What a person has said once and for all. */
export type Rule = {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The name of a tool; `*` stands for any letters. */
  readonly tool: string
  /**
   * What its input must be like: a command for `shell`, a path, an address. `*` stands for any text; in a path for what is no
   * slash, and `**` for any folders. Without it the rule holds for every call of the tool.
   */
  readonly pattern?: string | undefined
  /** Said to the model when it denies, and to the person when it asks. */
  readonly reason?: string | undefined
}

export type CompiledRule = { readonly rule: Rule; readonly tool: Glob }

const decisions = ['allow', 'ask', 'deny']
const form = 'Write "allow shell(npm test)", "deny shell(git push*)", "allow read_file(docs/**)" or { decision, tool, pattern }.'
const maxPattern = 2000

/** @throws {InputError} */
export function compileRule(given: Rule | string): CompiledRule {
  const rule = typeof given === 'string' ? ruleOf(given) : given
  if (!isObject(rule)) throw new InputError(`A rule is a text or an object. ${form}`)
  const { decision, tool, pattern, reason }: Partial<Record<string, unknown>> = rule
  const shown = JSON.stringify(given)
  for (const key of Object.keys(rule))
    if (!['decision', 'tool', 'pattern', 'reason'].includes(key))
      throw new InputError(`The rule ${shown} has an unknown key "${key}". ${form}`)
  if (typeof decision !== 'string' || !decisions.includes(decision))
    throw new InputError(`The rule ${shown} must say allow, ask or deny.${didYouMean(String(decision), decisions)} ${form}`)
  if (typeof tool !== 'string' || !/^[\w*-]{1,128}$/.test(tool))
    throw new InputError(`The rule ${shown} must name a tool: letters, digits, "_", "-", and "*" for any. ${form}`)
  if (pattern !== undefined && (typeof pattern !== 'string' || pattern === '' || pattern.length > maxPattern || pattern.includes('\0')))
    throw new InputError(
      `The pattern of the rule ${shown} must be a text of 1 to ${maxPattern} characters; leave it out for every call of the tool.`,
    )
  if (reason !== undefined && typeof reason !== 'string') throw new InputError(`The reason of the rule ${shown} must be a text.`)
  return { rule: Object.freeze({ ...(rule as Rule) }), tool: new Glob(tool) }
}

function ruleOf(text: string): unknown {
  const found = /^\s*(\S+)\s+([^\s()]+)\s*(?:\((.*)\))?\s*$/s.exec(text)
  if (!found) throw new InputError(`The rule ${JSON.stringify(text)} cannot be read. ${form}`)
  const [, decision, tool, pattern] = found
  return { decision, tool, ...(pattern !== undefined && { pattern }) }
}

/** A rule as one writes it. */
export const textOfRule = ({ decision, tool, pattern }: Rule): string => `${decision} ${tool}${pattern === undefined ? '' : `(${pattern})`}`
