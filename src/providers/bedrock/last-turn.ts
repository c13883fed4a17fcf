import type { Message as WireMessage } from '@aws-sdk/client-bedrock-runtime'
import type { Family } from './families.ts'

/** What a model is told that goes on only when it is asked to. */
const goOn: WireMessage = { role: 'user', content: [{ text: 'Please go on.' }] }

/** The messages, so that the model goes on from a last one of the assistant, if there is one. */
export function lastTurn(messages: WireMessage[], goesOn: Family['goesOn']): WireMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || goesOn === 'never') return messages
  if (goesOn === 'asked') return [...messages, goOn]
  const [text, ...before] = [...last.content!].reverse()
  // White space at the end of what is gone on from is refused.
  return text?.text === undefined
    ? messages
    : [...messages.slice(0, -1), { role: 'assistant', content: [...before.reverse(), { text: text.text.trimEnd() }] }]
}
