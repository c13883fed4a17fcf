import { InputError } from '../errors.ts'
import { aSignal, aText, checkOptions, isOptions, wholeFrom } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import type { ReadOptions, StoredResult, StoreOptions } from './result-store.ts'

// What a store that comes with Lena is called with, checked: an agent's calls are right, those of a program may not be.

const signalOf = ({ signal }: StoreOptions): AbortSignal => signal ?? new AbortController().signal

/** @throws {InputError} */
export function checkPut(result: StoredResult, options: StoreOptions = {}): { readonly signal: AbortSignal } {
  checkOptions('put', options, { signal: aSignal })
  if (!isOptions(result) || typeof result['text'] !== 'string' || typeof result['conversationId'] !== 'string')
    throw new InputError(`put() needs a result { text, callId, conversationId }, got ${describe(result)}.`)
  return { signal: signalOf(options) }
}

/** @throws {InputError} */
export function checkRead(
  path: string,
  options: ReadOptions = {},
): { readonly offset: number; readonly limit: number; readonly signal: AbortSignal } {
  if (typeof path !== 'string') throw new InputError(`read() needs the path of a stored result, got ${describe(path)}.`)
  checkOptions('read', options, {
    offset: wholeFrom(0, 'characters'),
    limit: ['a whole number of characters, at least 1, or Infinity', isLimit],
    signal: aSignal,
  })
  const { offset = 0, limit = Infinity } = options
  return { offset, limit, signal: signalOf(options) }
}

const isLimit = (value: unknown): boolean => value === Infinity || wholeFrom(1)[1](value)

/** @throws {InputError} */
export function checkConversation(conversationId: unknown): asserts conversationId is string {
  if (!aText[1](conversationId)) throw new InputError(`remove() needs the id of a conversation, got ${describe(conversationId)}.`)
}
