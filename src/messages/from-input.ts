import type { Checkpoint, ResumeInput } from '../checkpoints/checkpoint.ts'
import { InputError } from '../errors.ts'
import type { InterruptResponse } from '../interrupts/interrupt.ts'
import type { Ids } from '../util/ids.ts'
import { isObject } from '../util/json.ts'
import { isBlank } from '../util/text.ts'
import type { UserBlock } from './content.ts'
import { text } from './content.ts'
import type { Message, MessageInput } from './message.ts'
import { describe, storedBlocks, storedMessage } from './stored.ts'

/**
 * What an invocation starts from: a prompt as a string or as content blocks, messages, or nothing (`undefined`, `[]`) to go
 * on from the history; answers to what the last run asked; a checkpoint, with answers or without.
 */
export type AgentInput =
  | string
  | readonly UserBlock[]
  | readonly MessageInput[]
  | readonly InterruptResponse[]
  | ResumeInput
  | Checkpoint
  | undefined

const forms = 'a string, content blocks, messages, answers to interrupts, a checkpoint, or nothing to go on from the history'

/**
 * The messages that an input stands for, checked, copied and frozen.
 *
 * @throws {InputError} for anything that is not an input, before anything is touched.
 */
export function fromInput(input: unknown, ids: Ids): readonly Message[] {
  if (input === undefined) return []
  if (typeof input === 'string') {
    if (isBlank(input))
      throw new InputError('The input is a blank string. Give a prompt, or nothing (undefined) to go on from the history.')
    return [storedMessage({ role: 'user', content: [text(input)] }, ids, 'input')]
  }
  if (!Array.isArray(input)) throw new InputError(`The input must be ${forms}; got ${describe(input)}.`)
  if (input.length === 0) return []
  const messages = input.filter((item) => isObject(item) && 'role' in item).length
  if (messages === input.length) return input.map((item, index) => storedMessage(item as MessageInput, ids, `input[${index}]`))
  if (messages > 0) throw new InputError('The input mixes messages and content blocks. Give one or the other.')
  const content = storedBlocks(input as readonly UserBlock[], 'user', 'input')
  return [storedMessage({ role: 'user', content }, ids, 'input')]
}
