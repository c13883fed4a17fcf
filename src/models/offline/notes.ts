import { shortened } from './language/english.ts'

/** How a summary is asked for: the conversation as text, and behind it that it is over. */
const end = /\n\n\(End of the conversation\. Write the notes now, in at most (\d+) words\.\)\s*$/

const maxAsked = 20

/**
 * The notes of a conversation that is put together: what was asked, and what the last answers began with. Nothing for what is no
 * such request. This model does not understand a conversation, so it says what stands there, and no more.
 */
export function notesOf(prompt: string): string | undefined {
  const found = end.exec(prompt)
  if (!found) return undefined
  const said = { user: [] as string[], assistant: [] as string[] }
  for (const [, role, text] of prompt.slice(0, found.index).matchAll(/^\[(user|assistant)\] (.*(?:\n(?!\[|\n).*)*)/gm))
    said[role as 'user' | 'assistant'].push(text!.replaceAll(/\s+/g, ' ').trim())
  const asked = said.user.filter((text) => text !== '').slice(-maxAsked)
  const answered = said.assistant.filter((text) => text !== '').slice(-5)
  const words = Number(found[1])
  const lines = [
    ...(asked.length > 0 ? ['The user asked, oldest first:', ...asked.map((text) => `- ${shortened(text, 200)}`)] : []),
    ...(answered.length > 0 ? ['The last answers began with:', ...answered.map((text) => `- ${shortened(text, 300)}`)] : []),
  ]
  const notes = lines.length > 0 ? lines.join('\n') : 'Nothing was asked so far.'
  const all = notes.split(/(?<=\s)/)
  return all.length <= words ? notes : `${all.slice(0, words).join('').trimEnd()} …`
}
