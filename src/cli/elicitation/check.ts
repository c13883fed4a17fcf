import type { JsonObject } from '../../index.ts'
import { visible } from '../trust/visible.ts'

/** What a text or a number must be. */
export type Check = {
  readonly hint: string
  /** As a sentence; `undefined` when it is right. */
  readonly problemOf: (value: string | number) => string | undefined
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/**
 * Bounds and formats of a field that the protocol knows. A `pattern`, which it does not know, is shown and left to the server: one that
 * somebody else wrote may take for ever.
 */
export const checkOf = (schema: JsonObject): Check =>
  schema['type'] === 'number' || schema['type'] === 'integer' ? numberCheck(schema) : textCheck(schema)

function numberCheck({ type, minimum, maximum }: JsonObject): Check {
  const what = type === 'integer' ? 'a whole number' : 'a number'
  const [least, most] = [numberIn(minimum), numberIn(maximum)]
  const hint = `${what}${range(least, most)}`
  return {
    hint,
    problemOf: (value) =>
      typeof value !== 'number' ||
      !Number.isFinite(value) ||
      (type === 'integer' && !Number.isSafeInteger(value)) ||
      (least !== undefined && value < least) ||
      (most !== undefined && value > most)
        ? `It must be ${hint}.`
        : undefined,
  }
}

function range(least: number | undefined, most: number | undefined, unit?: string): string {
  const counted = (count: number): string => (unit === undefined ? String(count) : `${count} ${unit}${count === 1 ? '' : 's'}`)
  if (least !== undefined && most !== undefined) return `, ${least} to ${counted(most)}`
  if (least !== undefined) return `, at least ${counted(least)}`
  return most === undefined ? '' : `, at most ${counted(most)}`
}

function textCheck({ minLength, maxLength, format, pattern }: JsonObject): Check {
  const [least, most] = [numberIn(minLength), numberIn(maxLength)]
  const form = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
  const hint = `${form?.hint ?? 'text'}${range(least, most, 'character')}${typeof pattern === 'string' ? `, like ${visible(pattern, 80)}` : ''}`
  return {
    hint,
    problemOf: (value) => {
      const text = String(value)
      const length = [...text].length
      const isRight = (form?.fits(text) ?? true) && length >= (least ?? 0) && length <= (most ?? Infinity)
      return isRight ? undefined : `It must be ${hint}.`
    },
  }
}

type Format = { readonly hint: string; readonly fits: (text: string) => boolean }

const formats: Readonly<Record<string, Format>> = {
  email: { hint: 'an e-mail address', fits: (text) => text.length <= 320 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text) },
  uri: { hint: 'an address such as https://example.com', fits: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text) },
  date: { hint: 'a date such as 2026-03-31', fits: isDate },
  'date-time': {
    hint: 'a date and a time such as 2026-03-31T09:30:00Z',
    fits: (text) => {
      const [, date = '', hours, minutes, seconds] =
        /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? []
      return isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60
    },
  },
}

/** A day that there is. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
