import { fc } from '../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/messages/check.ts'
import type { ContentBlock, ToolResultBlock } from '../../src/messages/content.ts'
import type { MessageInput } from '../../src/messages/message.ts'
import { repair } from '../../src/messages/repair.ts'
import { anyHistory, assistant, call, legalHistory, result, user } from '../support/history.ts'

const blocksOf = (messages: readonly MessageInput[]): readonly ContentBlock[] =>
  messages.flatMap(({ content }) => content as readonly ContentBlock[])

const saidBy = ({ content }: ToolResultBlock): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** What the results say, for those that follow a call of their id in the message right before them, all ids being different. */
function answers(messages: readonly MessageInput[]): readonly string[] {
  const said: string[] = []
  messages.forEach((message, index) => {
    const before = messages[index - 1]
    if (message.role !== 'user' || before?.role !== 'assistant') return
    const open = blocksOf([before]).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    for (const block of blocksOf([message])) {
      if (block.type !== 'tool_result') continue
      const place = open.indexOf(block.toolUseId)
      if (place === -1) continue
      open.splice(place, 1)
      said.push(saidBy(block))
    }
  })
  return said
}

describe('repair, whatever the history', () => {
  it('gives a legal one', () => {
    fc.assert(fc.property(anyHistory, (history) => void expect(check(repair(history))).toEqual([])))
  })

  it('gives a legal one with calls kept open', () => {
    fc.assert(
      fc.property(anyHistory, (history) => void expect(check(repair(history, { openCalls: 'keep' }), { openCalls: 'allow' })).toEqual([])),
    )
  })

  it('finds nothing more to do the second time: the same messages come back', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const once = repair(history)
        const notes: string[] = []
        const twice = repair(once, { onRepair: (what) => void notes.push(what) })
        expect(twice.every((message, i) => message === once[i]) && twice.length === once.length).toBe(true)
        expect(notes).toEqual([])
      }),
    )
  })

  it('loses no word, no thought and no call', () => {
    const kept = (messages: readonly MessageInput[], type: string): number =>
      blocksOf(messages).filter((block) => block.type === type && !(block.type === 'text' && block.text.trim() === '')).length
    fc.assert(
      fc.property(anyHistory, (history) => {
        const repaired = repair(history)
        const opening =
          repaired[0]?.metadata?.synthetic === 'repair' && repaired[0].role === 'user' && repaired[0].content[0]?.type === 'text' ? 1 : 0
        expect([kept(repaired, 'text') - opening, kept(repaired, 'reasoning'), kept(repaired, 'tool_use')]).toEqual([
          kept(history, 'text'),
          kept(history, 'reasoning'),
          kept(history, 'tool_use'),
        ])
      }),
    )
  })

  it('loses no result of a call that was answered', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const after = blocksOf(repair(history)).flatMap((block) =>
          block.type === 'tool_result' && block.status === 'success' ? [saidBy(block)] : [],
        )
        expect(after).toEqual(expect.arrayContaining(answers(history) as string[]))
      }),
    )
  })

  it('makes up no result but for calls that have none', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const blocks = blocksOf(repair(history))
        const results = blocks.filter((block) => block.type === 'tool_result')
        const made = results.filter((block) => block.code === 'unknown_outcome').length
        const found = results.filter((block) => block.status === 'success').map((block) => saidBy(block))
        expect(made + found.length).toBe(blocks.filter((block) => block.type === 'tool_use').length)
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })
})

describe('repair of a legal history', () => {
  it('changes nothing: stored messages come back themselves', () => {
    fc.assert(
      fc.property(legalHistory, (history) => {
        const stored = repair(history)
        expect(stored.map(({ role, content }) => ({ role, content }))).toEqual(history)
        const again = repair(stored)
        expect(again.length === stored.length && again.every((message, i) => message === stored[i])).toBe(true)
      }),
    )
  })

  it('finds every result again when they were shuffled over later messages', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(['a', 'b', 'c', 'd'], { minLength: 4 }), fc.nat(4), (order, cut) => {
        const calls = ['a', 'b', 'c', 'd']
        const results = order.map((id) => result(id))
        const broken = [
          user('go'),
          assistant(...calls.map((id) => call(id))),
          user(...results.slice(0, cut), 'hm'),
          assistant('wait'),
          user(...results.slice(cut), 'so'),
        ]
        expect(repair(broken)[2]!.content).toEqual([...calls.map((id) => result(id)), { type: 'text', text: 'hm' }])
      }),
    )
  })
})
