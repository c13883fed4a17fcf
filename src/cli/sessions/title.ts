import { open } from 'node:fs/promises'
import { showControls } from '../sanitise.ts'
import { fitted } from '../tool-line.ts'

/** So much of a session is read for its title: the first prompt stands at its beginning. */
const headBytes = 64 * 1024
const maxTitle = 72

/** The first prompt of a session, on one line, without anything that steers a terminal; empty when there is none yet. */
export async function titleOfFile(path: string): Promise<string> {
  const handle = await open(path, 'r').catch(() => undefined)
  if (!handle) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return titleOf(firstPrompt(buffer.toString('utf8', 0, bytesRead)))
  } finally {
    await handle.close()
  }
}

const titleOf = (prompt: string): string => fitted(showControls(prompt.replaceAll(/\s+/g, ' ').trim()), maxTitle, '…')

type Block = { readonly type?: unknown; readonly text?: unknown }
type Entry = { readonly entry?: { readonly message?: { readonly role?: unknown; readonly content?: readonly Block[] } } }

function firstPrompt(head: string): string {
  for (const line of head.split('\n')) {
    const prompt = promptIn(line)
    if (prompt !== undefined) return prompt
  }
  return ''
}

/** What the person has run before it is not what the conversation is about. */
const isPrompt = ({ type, text }: Block): boolean => type === 'text' && !String(text).startsWith('<user_command>')

function promptIn(line: string): string | undefined {
  try {
    const value = JSON.parse(line) as Entry | readonly Entry[]
    for (const { entry } of (Array.isArray(value) ? value : [value]) as readonly Entry[]) {
      const text = entry?.message?.role === 'user' && entry.message.content?.find(isPrompt)?.text
      if (typeof text === 'string') return text
    }
    return undefined
  } catch {
    // A prompt that is longer than what was read, most likely.
    const [, piece] = /"role":"user".*?"text":"((?:[^"\\]|\\.){1,200})/s.exec(line) ?? []
    return piece === undefined ? undefined : unescaped(piece)
  }
}

function unescaped(piece: string): string | undefined {
  try {
    return JSON.parse(`"${piece}"`) as string
  } catch {
    return undefined
  }
}
