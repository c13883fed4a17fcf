import { InputError } from '../errors.ts'
import type { IdKind } from '../util/ids.ts'
import { randomIds } from '../util/ids.ts'
import { isEmpty } from './check.ts'
import type { AssistantBlock, ContentBlock, ToolResultBlock, ToolResultCode, ToolUseBlock, UserBlock } from './content.ts'
import type { Message, MessageInput } from './message.ts'
import { describe, storedMessage } from './stored.ts'

/** The text that stands where a message would otherwise be empty. Providers refuse empty messages. */
export const placeholder = '[no content]'

/** What a call is answered with when nobody else answers it. */
export function closingResult(toolUseId: string, code: ToolResultCode, said: string): ToolResultBlock {
  return { type: 'tool_result', toolUseId, status: 'error', code, content: [{ type: 'text', text: said }] }
}

export const unknownOutcome = (call: { readonly id: string; readonly name: string }): ToolResultBlock =>
  closingResult(
    call.id,
    'unknown_outcome',
    `No result of this call of ${call.name} was recorded. It may or may not have run; check before you repeat it.`,
  )

export type RepairOptions = {
  /** `keep`: calls of the last message stay open, so that a run can still answer them. Default `close`. */
  readonly openCalls?: 'keep' | 'close' | undefined
  readonly ids?: { next(kind: IdKind): string } | undefined
  /** The messages are the end of a longer history, which may be any message of an assistant. */
  readonly tail?: boolean | undefined
  /** Told of what was added, moved, renamed or left out. Joining neighbours loses nothing and is not told. */
  readonly onRepair?: ((what: string) => void) | undefined
}

/**
 * Makes any history legal (see `check`), losing as little as possible: neighbours of one role are joined, results are put
 * behind their calls in call order, an unanswered call gets an `unknown_outcome` error result, a result without a call and
 * an empty message are dropped, a call id that was used before is replaced. A legal history comes back as it is.
 *
 * This is the one place that knows how to close an open turn.
 *
 * @throws {InputError} when a message is not one at all: no role, unknown blocks, data that JSON cannot carry.
 */
export function repair(messages: readonly MessageInput[], options: RepairOptions = {}): readonly Message[] {
  if (!Array.isArray(messages)) throw new InputError(`The history must be an array of messages, got ${describe(messages)}.`)
  const ids = options.ids ?? randomIds
  const note = options.onRepair ?? (() => {})
  const given = messages.map((message, index) => storedMessage(message, ids, `messages[${index}]`))
  // Joined first: calls of one id in neighbouring messages are answered in the order in which they stand.
  const joined = joinNeighbours(given.filter((message, index) => keepsContent(message, index, note)))
  const answered = answerCalls(withUniqueCalls(joined, note), options.openCalls ?? 'close', ids, note)
  if (options.tail || answered[0]?.role !== 'assistant') return answered
  note('a user message was put before the first assistant message')
  const opening = make(
    {
      role: 'user',
      content: [{ type: 'text', text: '[The beginning of this conversation is missing.]' }],
      metadata: { synthetic: 'repair' },
    },
    ids,
  )
  return [opening, ...answered]
}

function make(message: MessageInput, ids: { next(kind: IdKind): string }): Message {
  return storedMessage(message, ids, 'message')
}

function keepsContent(message: Message, index: number, note: (what: string) => void): boolean {
  if (!isEmpty(message.content)) return true
  note(`messages[${index}] was empty and is left out`)
  return false
}

/** Gives a call whose id was used before a new one, and its result with it. */
function withUniqueCalls(messages: readonly Message[], note: (what: string) => void): readonly Message[] {
  const used = new Set<string>()
  // The number that is tried next: histories in which each call has one id are not rare, and are long.
  const numbers = new Map<string, number>()
  // The calls of the newest message that used an id. A result belongs to them, in call order, even when it comes messages later.
  const calls = new Map<string, string[]>()
  return messages.map((message) => {
    let changed = false
    if (message.role === 'assistant') {
      const own = new Map<string, string[]>()
      const content = message.content.map((block): AssistantBlock => {
        if (block.type !== 'tool_use') return block
        let id = block.id
        let n = numbers.get(block.id) ?? 2
        for (; used.has(id); n++) id = `${block.id}_${n}`
        numbers.set(block.id, n)
        used.add(id)
        const sameId = own.get(block.id)
        if (sameId) sameId.push(id)
        else own.set(block.id, [id])
        if (id === block.id) return block
        changed = true
        note(`the call id "${block.id}" was used twice; the later call is now "${id}"`)
        return { ...block, id }
      })
      for (const [id, ids] of own) calls.set(id, ids)
      return changed ? rebuilt(message, content) : message
    }
    const content = message.content.map((block): UserBlock => {
      if (block.type !== 'tool_result') return block
      const id = calls.get(block.toolUseId)?.shift()
      if (id === undefined || id === block.toolUseId) return block
      changed = true
      return { ...block, toolUseId: id }
    })
    return changed ? rebuilt(message, content) : message
  })
}

function joinNeighbours(messages: readonly Message[]): Message[] {
  const joined: Message[] = []
  for (let from = 0, to = 0; from < messages.length; from = to) {
    const first = messages[from]!
    for (to = from + 1; messages[to]?.role === first.role;) to++
    // All at once: one after the other would copy the first of them as often as there are others.
    joined.push(to === from + 1 ? first : rebuilt(first, messages.slice(from, to).flatMap(contentOf)))
  }
  return joined
}

const contentOf = ({ content }: Message): readonly ContentBlock[] => content

/** The same message with other content; its id stays, since it is still that message. */
function rebuilt(message: Message, content: readonly ContentBlock[]): Message {
  return storedMessage({ ...message, content }, randomIds, `message ${message.id}`)
}

function answerCalls(
  messages: readonly Message[],
  openCalls: 'keep' | 'close',
  ids: { next(kind: IdKind): string },
  note: (what: string) => void,
): readonly Message[] {
  const results = resultsById(messages)
  const legal: Message[] = []
  const placed = new Set<ToolResultBlock>()
  let open: readonly ToolUseBlock[] = []
  messages.forEach((message, index) => {
    if (message.role === 'assistant') {
      legal.push(message)
      open = message.content.filter((block) => block.type === 'tool_use')
      return
    }
    const own = new Set<UserBlock>(message.content)
    const answers = open.map((call) => {
      const answer = results.get(call.id) ?? missing(call)
      placed.add(answer)
      if (results.has(call.id) && !own.has(answer)) note(`the result of the call "${call.id}" was moved behind it`)
      return answer
    })
    open = []
    const rest = message.content.filter((block) => block.type !== 'tool_result')
    const orphans = message.content.filter((block) => block.type === 'tool_result' && !placed.has(block)).length
    if (orphans > 0) note(`messages[${index}] had ${orphans} tool result(s) without a call before them; left out`)
    const content: readonly UserBlock[] = [...answers, ...rest]
    const same = content.length === message.content.length && content.every((block, i) => block === message.content[i])
    const fixed = same ? message : rebuilt(message, content)
    if (!isEmpty(fixed.content)) legal.push(fixed)
  })
  if (open.length > 0 && openCalls === 'close')
    legal.push(make({ role: 'user', content: open.map(missing), metadata: { synthetic: 'repair' } }, ids))
  return joinNeighbours(legal)

  function missing(call: ToolUseBlock): ToolResultBlock {
    note(`the call "${call.id}" of ${call.name} had no result`)
    return unknownOutcome(call)
  }
}

/** The first result of each id that comes after its call, wherever it stands. */
function resultsById(messages: readonly Message[]): Map<string, ToolResultBlock> {
  const called = new Set<string>()
  const results = new Map<string, ToolResultBlock>()
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type === 'tool_use') called.add(block.id)
      else if (block.type === 'tool_result' && called.has(block.toolUseId) && !results.has(block.toolUseId))
        results.set(block.toolUseId, block)
    }
  }
  return results
}
