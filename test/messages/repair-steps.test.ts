import { afterEach, expect, it, vi } from 'vitest'
import { check } from '../../src/messages/check.ts'
import type { MessageInput } from '../../src/messages/message.ts'
import { repair } from '../../src/messages/repair.ts'
import { storedMessage } from '../../src/messages/stored.ts'
import { countingIds } from '../support/ids.ts'

afterEach(() => void vi.restoreAllMocks())

const ids = countingIds()
const stored = (role: 'user' | 'assistant', ...content: readonly object[]): MessageInput =>
  storedMessage({ role, content } as MessageInput, ids, 'message')
const text = (said: string): object => ({ type: 'text', text: said })

/** How often it looks something up, in whatever set or table. */
function stepsOf(history: readonly MessageInput[]): number {
  const spies = [vi.spyOn(Set.prototype, 'has'), vi.spyOn(WeakMap.prototype, 'has')]
  const repaired = repair(history, { ids })
  const steps = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  vi.restoreAllMocks()
  expect(check(repaired)).toEqual([])
  return steps
}

const oneId = (turns: number): readonly MessageInput[] =>
  Array.from({ length: turns }, () => [
    stored('user', text('go')),
    stored('assistant', { type: 'tool_use', id: 'call_1', name: 'look', input: {} }),
    stored('user', { type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [text('seen')] }),
    stored('assistant', text('Done.')),
  ]).flat()

it.each([
  ['calls that all have one id', oneId],
  ['messages of one role in a row', (turns: number) => Array.from({ length: turns }, (_, n) => stored('user', text(`n${n}`)))],
  [
    'one message with many calls of one id',
    (calls: number) => [
      stored('user', text('go')),
      stored('assistant', ...Array.from({ length: calls }, () => ({ type: 'tool_use', id: 'call_1', name: 'look', input: {} }))),
    ],
  ],
])('%s are repaired in steps in proportion to them', (_what, make) => {
  const [few, many] = [stepsOf(make(100)), stepsOf(make(800))]
  expect(many / few).toBeLessThan(9)
})

it('numbers calls of one id from 2 on, and passes over what is there', () => {
  const call = (id: string): MessageInput => stored('assistant', { type: 'tool_use', id, name: 'look', input: {} })
  const result = (id: string): MessageInput =>
    stored('user', { type: 'tool_result', toolUseId: id, status: 'success', content: [text(id)] })
  const given = ['a', 'a_2', 'a', 'a_4', 'a', 'a'].flatMap((id) => [call(id), result(id)])
  const named = repair([stored('user', text('go')), ...given], { ids }).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : block.type === 'tool_result' ? [block.toolUseId] : [])),
  )
  const wanted = ['a', 'a_2', 'a_3', 'a_4', 'a_5', 'a_6']
  expect(named).toEqual(wanted.flatMap((id) => [id, id]))
})
