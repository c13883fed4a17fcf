import type { ContentBlock } from '../../src/messages/content.ts'
import type { Mishap } from './points.ts'

/** How often each effect was had, by the idempotency key of its call. */
export type Done = ReadonlyMap<string, number>

export const doneTwice = (done: Done): readonly string[] =>
  [...done].flatMap(([key, times]) => (times > 1 ? [`${key} was done ${times} times`] : []))

/** What a result says of its call that is not so: that it was done, or nothing of what was. */
export function untruthsOfResult(block: ContentBlock, done: Done, mishap: Mishap): readonly string[] {
  if (block.type !== 'tool_result') return []
  const wasDone = [...done.keys()].some((key) => key.endsWith(`:${block.toolUseId}`))
  const said = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const admits = said.endsWith('its work is done.') || said.includes('It may or may not have done its work.') || said.includes('mishap')
  if (block.status === 'success' && !wasDone) return [`${block.toolUseId} says that it was done`]
  return block.status === 'error' && wasDone && !admits ? [`${block.toolUseId} hides that it was done: ${said} (${mishap})`] : []
}
