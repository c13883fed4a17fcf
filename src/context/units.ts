import type { Message } from '../messages/message.ts'
import { toolUsesOf } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import type { Ids } from '../util/ids.ts'
import { randomIds } from '../util/ids.ts'
import { freezeOwn } from '../util/json.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** What stays together: a message with calls and the one with their results, or one message alone. */
export type Unit = {
  readonly messages: readonly Message[]
  readonly tokens: number
  /** Can a history begin here? */
  readonly opens: boolean
  /** Stands only between two messages of one role, where something was left out. */
  readonly isBridge: boolean
}

const gap = '[Earlier messages were left out here.]'

/** The units of a legal history, in order. */
export function unitsOf(messages: readonly Message[], model: Model): readonly Unit[] {
  const units: Unit[] = []
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    const next = messages[i + 1]
    const together = next && toolUsesOf(message).length > 0 ? [message, next] : [message]
    if (together.length > 1) i++
    units.push({
      messages: together,
      tokens: estimateTokens(together, model),
      opens: message.role === 'user',
      isBridge: isBridge(message),
    })
  }
  return units
}

export const isSummary = (message: Message | undefined): boolean => message?.metadata?.synthetic === 'summary'

function isBridge({ content, metadata }: Message): boolean {
  const [block] = content
  return metadata?.synthetic === 'repair' && content.length === 1 && block?.type === 'text' && block.text === gap
}

/** Says that something is missing, in the role that keeps its neighbours apart: joined, they would be other messages. */
export function bridge(role: Message['role'], ids: Ids = randomIds): Message {
  return freezeOwn({ id: ids.next('message'), role, content: [{ type: 'text', text: gap }], metadata: { synthetic: 'repair' } })
}

/** The last unit before `end` that a history can begin with. */
export function openerBefore(units: readonly Unit[], end: number): number {
  for (let i = end - 1; i >= 0; i--) if (units[i]!.opens && !units[i]!.isBridge) return i
  return -1
}

/** The units that stay, as one legal history. Every message of theirs is the same object as before. */
export function joinUnits(units: readonly Unit[], stays: (index: number) => boolean, ids?: Ids): readonly Message[] {
  const joined: Message[] = []
  let next = 0
  units.forEach((unit, index) => {
    if (!stays(index)) return
    const { role } = unit.messages[0]!
    const before = joined.at(-1)?.role ?? 'assistant'
    if (before === role) {
      const other = role === 'user' ? 'assistant' : 'user'
      // One that stands there already is used again, so that the beginning stays the same.
      const there = units.slice(next, index).find((between) => between.isBridge && between.messages[0]!.role === other)
      joined.push(there?.messages[0] ?? bridge(other, ids))
    }
    joined.push(...unit.messages)
    next = index + 1
  })
  return joined
}

export const sameMessages = (a: readonly Message[], b: readonly Message[]): boolean =>
  a.length === b.length && a.every((message, index) => message === b[index])
