import type { UserBlock } from '../../messages/content.ts'
import type { ModelRequest } from '../../models/model.ts'
import { assistantParts } from './assistant-parts.ts'
import { CachePoints, mark } from './cache-points.ts'
import { mediaPart } from './media.ts'
import type { PromptForm, PromptMessage, ResultPart, Told, UserPart } from './prompt-types.ts'
import type { Calls } from './tool-results.ts'
import { callsOf, resultPart } from './tool-results.ts'

/**
 * The prompt of a request. Results of tools are messages of their own, before what the user says; what another provider alone
 * understands is left out.
 */
export function promptOf(request: ModelRequest, form: PromptForm): PromptMessage[] {
  const points = new CachePoints(request)
  const prompt = systemMessages(request, points)
  request.messages.forEach((message, i) => {
    if (message.role === 'assistant') prompt.push({ role: 'assistant', content: assistantParts(message.content, form) })
    else pushUser(prompt, message.content, callsOf(request.messages[i - 1], form.provider), points, form)
  })
  return prompt
}

/** One message as far as possible: some models take no second one. A cache point ends a message. */
function systemMessages({ system }: ModelRequest, points: CachePoints): PromptMessage[] {
  const messages: PromptMessage[] = []
  let texts: string[] = []
  const close = (): void => {
    if (texts.length > 0) messages.push({ role: 'system', content: texts.join('\n\n') })
    texts = []
  }
  for (const block of system) {
    if (block.type === 'text') {
      texts.push(block.text)
      continue
    }
    close()
    mark(messages.at(-1), points.inSystem(block))
  }
  close()
  return messages
}

function pushUser(prompt: PromptMessage[], content: readonly UserBlock[], calls: Calls, points: CachePoints, form: PromptForm): void {
  const results: ResultPart[] = []
  const attached: UserPart[] = []
  const said: UserPart[] = []
  let last: Told | undefined = prompt.at(-1)
  for (const block of content) {
    if (block.type === 'cache_point') mark(last, points.inMessages(block))
    else if (block.type === 'tool_result') {
      const part = resultPart(block, calls, attached, form)
      results.push(part)
      last = part
    } else {
      const part: UserPart = block.type === 'text' ? { type: 'text', text: block.text } : mediaPart(block, form)
      said.push(part)
      last = part
    }
  }
  const parts = [...attached, ...said]
  if (results.length > 0) prompt.push({ role: 'tool', content: results, ...raisedMark(results) })
  if (parts.length > 0) prompt.push({ role: 'user', content: parts, ...raisedMark(parts) })
}

/** A mark on the last part is one of the message, where all providers that know marks look for it. */
function raisedMark(parts: readonly Told[]): Told {
  const last = parts.at(-1)
  const providerOptions = last?.providerOptions
  if (!providerOptions) return {}
  delete last.providerOptions
  return { providerOptions }
}
