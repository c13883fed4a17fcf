import type { AssistantBlock, ContentBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import type { Message, MessageMetadata } from '../messages/message.ts'
import { placeholder } from '../messages/repair.ts'
import { addUsage } from '../messages/usage.ts'
import { freezeOwn } from '../util/json.ts'
import type { Run } from './run.ts'

/**
 * Puts a message into the history, then tells of it. A message of the same role as the last one is joined to it, so that
 * roles alternate whatever happened before. Stored before anything can throw or wait.
 */
export async function storeMessage(run: Run, message: Message): Promise<Message> {
  const { transcript, hooks, usedIds } = run.core
  const last = transcript.last
  const replaces = last?.role === message.role ? last.id : undefined
  const stored = replaces === undefined ? message : join(last!, message)
  if (replaces === undefined) transcript.append(stored)
  else transcript.replaceLast(stored)
  usedIds.add(message)
  const wait = run.emit?.({ type: 'message_added', ...run.base, message: stored, ...(replaces !== undefined && { replaces }) })
  if (wait) await wait
  if (hooks.has('messageAdded')) await hooks.run('messageAdded', { message: stored, replaces, ...run.hookBase() }, run.bound)
  return stored
}

/** Puts a message in the place of the last one, then tells of it. */
export async function replaceLastMessage(run: Run, message: Message): Promise<void> {
  const { transcript, hooks, usedIds } = run.core
  const replaces = transcript.last!.id
  transcript.replaceLast(message)
  usedIds.add(message)
  await run.emit?.({ type: 'message_added', ...run.base, message, replaces })
  if (hooks.has('messageAdded')) await hooks.run('messageAdded', { message, replaces, ...run.hookBase() }, run.bound)
}

function join(last: Message, next: Message): Message {
  // A placeholder stands for nothing; beside something it is not needed.
  const content = isPlaceholder(next) ? last.content : isPlaceholder(last) ? next.content : [...last.content, ...next.content]
  const metadata = joinMetadata(last.metadata, next.metadata)
  return freezeOwn({ id: last.id, role: last.role, content, ...(metadata && { metadata }) } as Message)
}

const isPlaceholder = ({ role, metadata, content }: Message): boolean =>
  role === 'assistant' && metadata?.synthetic === 'repair' && content.length === 1 && textOf(content) === placeholder

/** What was paid for both is paid for; and a message is of our making only when all of it is. */
function joinMetadata(last: MessageMetadata | undefined, next: MessageMetadata | undefined): MessageMetadata | undefined {
  const { synthetic, usage, stopReason, ...rest } = { ...last, ...next }
  const both = last?.usage && next?.usage ? addUsage(last.usage, next.usage) : usage
  const isOurs = last?.synthetic !== undefined && last.synthetic === next?.synthetic
  // A text of ours behind a paused message ends it: the model is not to go on with it.
  const isEnded = next?.synthetic !== undefined && next.synthetic !== 'repair'
  const metadata = { ...rest, ...(both && { usage: both }), ...(isOurs && { synthetic }), ...(stopReason && !isEnded && { stopReason }) }
  return Object.keys(metadata).length > 0 ? metadata : undefined
}

/** A message of our own making. */
export function ownMessage(
  run: Run,
  role: 'user' | 'assistant',
  content: readonly ContentBlock[],
  synthetic: MessageMetadata['synthetic'],
): Message {
  const id = run.core.ids.next('message')
  return freezeOwn((synthetic ? { id, role, content, metadata: { synthetic } } : { id, role, content }) as Message)
}

export const assistantText = (run: Run, blocks: readonly AssistantBlock[], synthetic: MessageMetadata['synthetic']): Message =>
  ownMessage(run, 'assistant', blocks, synthetic)
