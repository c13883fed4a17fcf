import type { JsonObject, JsonValue } from '../../index.ts'
import { visible } from '../trust/visible.ts'
import { checkOf } from './check.ts'

/** One of several values that a field may have. */
export type Choice = { readonly value: string; readonly title: string }

/** What a person typed, understood; or what is wrong with it, as a sentence. */
export type FieldRead = { readonly value: JsonValue } | { readonly problem: string }

/** A field of a form, as a person is asked for it. Everything in it can be shown. */
export type Field = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What is expected, in a few words: `a whole number, 1 to 8`. */
  readonly hint: string
  readonly choices: readonly Choice[]
  readonly isRequired: boolean
  /** What counts when nothing is typed. */
  readonly default: JsonValue | undefined
  read(typed: string): FieldRead
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The fields of a form in their order, those of the shapes that the protocol knows, and any other as a text. */
export function fieldsOf({ properties, required }: JsonObject): readonly Field[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isObject(properties) ? properties : {}).map(([name, given]) => {
    const schema = isObject(given) ? given : {}
    const kind = kindOf(schema)
    return {
      name,
      title: visible(textOf(schema['title']) || name, 80),
      description: visible(textOf(schema['description'])),
      isRequired: needed.includes(name),
      // One that would not be taken from a person is none.
      default: isTaken(kind, schema['default']) ? schema['default'] : undefined,
      hint: kind.hint,
      choices: kind.choices ?? [],
      read: kind.read,
    }
  })
}

type Kind = Pick<Field, 'hint' | 'read'> & { readonly choices?: readonly Choice[]; readonly isOne: (value: JsonValue) => boolean }

const isTaken = ({ isOne }: Kind, value: JsonValue | undefined): boolean => value !== undefined && value !== null && isOne(value)

function kindOf(schema: JsonObject): Kind {
  if (schema['type'] === 'array') return severalOf(schema, choicesOf(isObject(schema['items']) ? schema['items'] : {}))
  const choices = choicesOf(schema)
  if (choices.length > 0) return oneOf(choices)
  if (schema['type'] === 'boolean') return yesOrNo
  const { hint, problemOf } = checkOf(schema)
  const checked = (value: string | number): FieldRead => {
    const problem = problemOf(value)
    return problem === undefined ? { value } : { problem }
  }
  if (schema['type'] === 'number' || schema['type'] === 'integer')
    return {
      hint,
      isOne: (value) => typeof value === 'number' && problemOf(value) === undefined,
      read: (typed) => (isNumber.test(typed) ? checked(Number(typed)) : { problem: `It must be ${hint}.` }),
    }
  return { hint, isOne: (value) => typeof value === 'string' && problemOf(value) === undefined, read: checked }
}

const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

const yesOrNo: Kind = {
  hint: 'yes or no',
  isOne: (value) => typeof value === 'boolean',
  read: (typed) => {
    if (/^(?:y|yes|true)$/i.test(typed)) return { value: true }
    return /^(?:n|no|false)$/i.test(typed) ? { value: false } : { problem: 'It must be yes or no.' }
  },
}

/** The values of an `enum` with or without names, and of the newer `oneOf` and `anyOf`. */
function choicesOf(schema: JsonObject): readonly Choice[] {
  const { enum: values, enumNames: names } = schema
  const titles: readonly unknown[] = Array.isArray(names) ? names : []
  if (Array.isArray(values)) return values.filter((value) => typeof value === 'string').map((value, i) => choice(value, titles[i]))
  const options = schema['oneOf'] ?? schema['anyOf']
  return (Array.isArray(options) ? options : []).flatMap((option) =>
    isObject(option) && typeof option['const'] === 'string' ? [choice(option['const'], option['title'])] : [],
  )
}

const choice = (value: string, title: unknown): Choice => ({ value, title: visible(textOf(title) || value, 200) })

/** A choice by its number, its value or its title. */
function chosen(typed: string, choices: readonly Choice[]): string | undefined {
  const same = (text: string): boolean => text.toLowerCase() === typed.toLowerCase()
  const named = choices.find(({ value }) => value === typed) ?? choices.find(({ value, title }) => same(value) || same(title))
  return (named ?? (/^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined))?.value
}

function oneOf(choices: readonly Choice[]): Kind {
  const values = choices.map(({ value }) => value)
  return {
    hint: `1 to ${choices.length}`,
    choices,
    isOne: (value) => typeof value === 'string' && values.includes(value),
    read: (typed) => {
      const value = chosen(typed, choices)
      return value === undefined
        ? { problem: `It must be one of them: a number from 1 to ${choices.length}, or what stands there.` }
        : { value }
    },
  }
}

function severalOf({ minItems, maxItems }: JsonObject, choices: readonly Choice[]): Kind {
  const [least, most] = [typeof minItems === 'number' ? minItems : 0, typeof maxItems === 'number' ? maxItems : Infinity]
  const many =
    least > 0 && most < Infinity
      ? `${least} to ${most}`
      : most < Infinity
        ? `at most ${most}`
        : least > 0
          ? `at least ${least}`
          : 'any number'
  const fits = (count: number): boolean => count >= least && count <= most
  /** Without choices, which the protocol does not have, any text is one. */
  const found = (word: string): string | undefined => (choices.length === 0 ? word : chosen(word, choices))
  return {
    hint: `${many}${choices.length > 0 ? ' of them' : ''}, with commas between`,
    choices,
    isOne: (value) =>
      Array.isArray(value) &&
      fits(value.length) &&
      value.every((item) => typeof item === 'string' && (choices.length === 0 || choices.some((known) => known.value === item))),
    read: (typed) => {
      const words = typed
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
      const unknown = words.find((word) => found(word) === undefined)
      if (unknown !== undefined) return { problem: `${visible(JSON.stringify(unknown), 80)} is none of them.` }
      const all = [...new Set(words.map((word) => found(word)!))]
      return fits(all.length) ? { value: all } : { problem: `It must be ${many} of them.` }
    },
  }
}
