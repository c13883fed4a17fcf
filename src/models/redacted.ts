import type { AssistantBlock } from '../messages/content.ts'

/** A guardrail's replacement of the model's words: one text in the place of all that it said. */
export function redacted(
  content: readonly AssistantBlock[],
  redactions: readonly { target: 'input' | 'output'; replacement: string }[],
): readonly AssistantBlock[] {
  const output = redactions.findLast(({ target }) => target === 'output')
  return output ? [{ type: 'text', text: output.replacement }] : content
}
