import type { AssistantBlock, ContentBlock } from '../messages/content.ts'
import type { Message, MessageMetadata } from '../messages/message.ts'
import { freezeOwn } from '../util/json.ts'
import type { Run } from './run.ts'

/**
 * Puts a message into the history, then tells of it. A message of the same role as the last one is joined to it, so that
 * roles alternate whatever happened before. Stored before anything can throw or wait.
 */
export async function storeMessage(run: Run, message: Message): Promise<Message> {
  const { transcript, hooks } = run.core
  const last = transcript.last
  const replaces = last?.role === message.role ? last.id : undefined
  const stored = replaces === undefined ? message : join(last!, message)
  if (replaces === undefined) transcript.append(stored)
  else transcript.replaceLast(stored)
  const wait = run.emit?.({ type: 'message_added', ...run.base, message: stored, ...(replaces !== undefined && { replaces }) })
  if (wait) await wait
  if (hooks.has('messageAdded')) await hooks.run('messageAdded', { ...run.hookBase(), message: stored, replaces }, run.bound)
  return stored
}

/** Puts a message in the place of the last one, then tells of it. */
export async function replaceLastMessage(run: Run, message: Message): Promise<void> {
  const { transcript, hooks } = run.core
  const replaces = transcript.last!.id
  transcript.replaceLast(message)
  await run.emit?.({ type: 'message_added', ...run.base, message, replaces })
  if (hooks.has('messageAdded')) await hooks.run('messageAdded', { ...run.hookBase(), message, replaces }, run.bound)
}

function join(last: Message, next: Message): Message {
  const content = [...last.content, ...next.content]
  const metadata = { ...last.metadata, ...next.metadata }
  return freezeOwn({ id: last.id, role: last.role, content, ...(Object.keys(metadata).length > 0 && { metadata }) } as Message)
}

/** A message of our own making. */
export function ownMessage(run: Run, role: 'user' | 'assistant', content: readonly ContentBlock[], synthetic: MessageMetadata['synthetic']): Message {
  return freezeOwn({ id: run.core.ids.next('message'), role, content, ...(synthetic && { metadata: { synthetic } }) } as Message)
}

export const assistantText = (run: Run, blocks: readonly AssistantBlock[], synthetic: MessageMetadata['synthetic']): Message => ownMessage(run, 'assistant', blocks, synthetic)
