import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import { readCheckpoint } from '../checkpoints/read-checkpoint.ts'
import { InputError } from '../errors.ts'
import type { InterruptResponse } from '../interrupts/interrupt.ts'
import { isInterruptResponse } from '../interrupts/interrupt.ts'
import type { AgentInput } from '../messages/from-input.ts'
import { fromInput } from '../messages/from-input.ts'
import type { Message } from '../messages/message.ts'
import { describe } from '../messages/stored.ts'
import type { Ids } from '../util/ids.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import { refuseUnknown } from './invoke-options.ts'
import { checkResponses } from './questions.ts'

/** What an invocation starts from: new messages (or none), answers to what the last run asked, or a run that stopped. */
export type ReadInput =
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | { readonly kind: 'responses'; readonly responses: readonly InterruptResponse[] }
  | { readonly kind: 'resume'; readonly checkpoint: Checkpoint; readonly responses: readonly InterruptResponse[] }

/**
 * Any input, checked and copied.
 *
 * @throws {InputError} for what is none; {CheckpointError} and {InterruptError} for what cannot be resumed or answered.
 */
export function readInput(input: AgentInput | undefined, ids: Ids): ReadInput {
  if (isObject(input) && input['type'] === 'checkpoint') return { kind: 'resume', checkpoint: readCheckpoint(input), responses: [] }
  if (isObject(input) && input['type'] === 'resume') {
    refuseUnknown(input, ['type', 'checkpoint', 'responses'], [], 'key of an input that resumes')
    const checkpoint = readCheckpoint(input['checkpoint'], 'The `checkpoint` of the input')
    const responses = readResponses(input['responses'] ?? [])
    if (responses.length > 0) checkResponses(checkpoint, responses)
    return { kind: 'resume', checkpoint, responses }
  }
  if (Array.isArray(input) && input.some((item) => isObject(item) && item['type'] === 'interrupt_response'))
    return { kind: 'responses', responses: readResponses(input) }
  return { kind: 'messages', messages: fromInput(input, ids) }
}

function readResponses(given: unknown): readonly InterruptResponse[] {
  if (!Array.isArray(given)) throw new InputError(`\`responses\` must be an array of answer(interrupt, response), got ${describe(given)}.`)
  return given.map((item: unknown, index) => {
    if (!isInterruptResponse(item))
      throw new InputError(
        `responses[${index}] must be made by answer(interrupt, response), got ${describe(item)}. Answers stand alone, without other input.`,
      )
    return frozenCopy(item, `responses[${index}]`)
  })
}
