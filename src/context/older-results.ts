import type { Message } from '../messages/message.ts'

/** How many messages are older than the newest `keep` that hold results. */
export function olderThan(messages: readonly Message[], keep: number): number {
  let newest = messages.length
  for (let left = keep; newest > 0 && left > 0;) if (hasResults(messages[--newest]!)) left--
  return newest
}

const hasResults = ({ role, content }: Message): boolean => role === 'user' && content.some(({ type }) => type === 'tool_result')
