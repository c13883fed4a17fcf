import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import { isBlank } from '../util/text.ts'
import type { ContentBlock } from './content.ts'
import type { Message } from './message.ts'

/** One breach of the rules that every provider's history must keep. */
export type TranscriptBreach = {
  readonly rule:
    | 'starts_with_user'
    | 'roles_alternate'
    | 'not_empty'
    | 'call_answered_once'
    | 'results_in_order'
    | 'no_orphan'
    | 'call_id_unique'
  /** Index of the message in the history. */
  readonly index: number
  readonly message: string
}

function expectMessage(message: unknown, place: string): void {
  if (!isObject(message)) throw new InputError(`${place}: expected a message { role, content }, got ${describe(message)}.`)
  const { content } = message
  if (!Array.isArray(content)) throw new InputError(`${place}.content: expected a list of blocks, got ${describe(content)}.`)
  const odd = content.findIndex((block) => !isObject(block))
  if (odd >= 0) throw new InputError(`${place}.content[${odd}]: expected a block { type, … }, got ${describe(content[odd])}.`)
}

/** Would a provider refuse the message for having nothing in it? */
export function isEmpty(content: readonly ContentBlock[]): boolean {
  return content.every((block) => block.type === 'cache_point' || (block.type === 'text' && isBlank(block.text)))
}

/**
 * Names each way in which a history is illegal for some provider; `[]` when it is legal for all.
 *
 * A history starts with a user message, roles alternate, no message is empty, each tool call has exactly one result in the
 * next message, in call order and before all else, no result is without its call, and call ids are unique.
 *
 * @throws {InputError} for what is no list of messages; `repair` takes what is written by hand.
 * @param options.openCalls `allow`: the calls of the last message may still be open, as after an interrupt. Default `refuse`.
 */
export function check(
  messages: readonly Message[],
  options: { readonly openCalls?: 'allow' | 'refuse' | undefined } = {},
): readonly TranscriptBreach[] {
  const breaches: TranscriptBreach[] = []
  const seen = new Set<string>()
  let open: readonly string[] = []
  if (!Array.isArray(messages)) throw new InputError(`check(): expected a list of messages, got ${describe(messages)}.`)
  messages.forEach((message: Message, index) => {
    expectMessage(message, `messages[${index}]`)
    const breach = (rule: TranscriptBreach['rule'], text: string): void =>
      void breaches.push({ rule, index, message: `messages[${index}] ${text}` })
    if (index === 0 && message.role !== 'user') breach('starts_with_user', 'is the first and not a user message.')
    if (index > 0 && message.role === messages[index - 1]!.role) breach('roles_alternate', `follows another ${message.role} message.`)
    if (isEmpty(message.content)) breach('not_empty', 'has nothing in it but blank text.')
    const results: string[] = []
    let late = false
    message.content.forEach((block, place) => {
      if (block.type !== 'tool_result') return
      if (results.length < place) late = true
      results.push(block.toolUseId)
    })
    if (late) breach('results_in_order', 'has other content before a result.')
    checkResults(open, results, breach)
    open = []
    if (message.role !== 'assistant') return
    const calls: string[] = []
    for (const block of message.content) {
      if (block.type !== 'tool_use') continue
      if (seen.has(block.id)) breach('call_id_unique', `calls with the id "${block.id}", which was used before.`)
      seen.add(block.id)
      calls.push(block.id)
    }
    open = calls
  })
  if (open.length > 0 && options.openCalls !== 'allow') {
    breaches.push({
      rule: 'call_answered_once',
      index: messages.length - 1,
      message: `messages[${messages.length - 1}] leaves calls without a result: ${open.join(', ')}.`,
    })
  }
  return breaches
}

function checkResults(
  calls: readonly string[],
  results: readonly string[],
  breach: (rule: TranscriptBreach['rule'], text: string) => void,
): void {
  const wanted = new Set(calls)
  const got = new Set<string>()
  for (const id of results) {
    if (!wanted.has(id)) breach('no_orphan', `has a result for "${id}", which the message before it does not call.`)
    else if (got.has(id)) breach('call_answered_once', `answers the call "${id}" twice.`)
    got.add(id)
  }
  const missing = calls.filter((id) => !got.has(id))
  if (missing.length > 0) breach('call_answered_once', `has no result for ${missing.map((id) => `"${id}"`).join(', ')}.`)
  const order = [...new Set(results)].filter((id) => wanted.has(id))
  const expected = calls.filter((id) => got.has(id))
  if (order.some((id, i) => id !== expected[i])) breach('results_in_order', 'has its results in another order than the calls.')
}
