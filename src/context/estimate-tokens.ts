import type { ContentBlock, MediaSource, ToolResultContent } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'

/** How a family of models reads: characters of prose and of JSON for one token, and tokens of an image. */
type Family = { readonly prose: number; readonly json: number; readonly image: number }

const families: readonly (readonly [name: RegExp, family: Family])[] = [
  [/claude|anthropic/i, { prose: 3.5, json: 2.7, image: 1600 }],
  [/gpt|openai|\bo[134]\b/i, { prose: 4.2, json: 3.2, image: 1100 }],
  [/gemini|gemma/i, { prose: 4, json: 2.8, image: 1100 }],
]
const otherFamily: Family = { prose: 4, json: 3, image: 1600 }

/** Tokens of the frame around a call and around a result: ids, names, roles. */
const callFrame = 12
const resultFrame = 8
/** Tokens of a document of which only the address is known. */
const unknownDocument = 3000
/** A page of a PDF has some 60,000 characters of base64, and is read as text and as an image: some 2,000 tokens. */
const base64PerToken = 30
const leastDocument = 1500

const kept = new WeakMap<Family, WeakMap<Message, number>>()

/** Characters of prose for one token of this model, roughly. */
export const charsPerToken = (model?: { readonly provider: string; readonly id: string }): number => familyOf(model).prose

/**
 * About how many tokens these messages take, by their characters; images and documents go by rule. It is rough, the more so
 * for short messages: what the provider counted is better, where there is a count.
 *
 * @param model whose family decides how many characters make a token.
 */
export function estimateTokens(messages: readonly Message[], model?: { readonly provider: string; readonly id: string }): number {
  const family = familyOf(model)
  let counts = kept.get(family)
  if (!counts) kept.set(family, (counts = new WeakMap()))
  let tokens = 0
  for (const message of messages) {
    let count = counts.get(message)
    if (count === undefined) {
      count = message.content.reduce((sum, block) => sum + blockTokens(block, family), 0)
      // A stored message never changes; somebody else's may.
      if (Object.isFrozen(message)) counts.set(message, count)
    }
    tokens += count
  }
  return Math.ceil(tokens)
}

function familyOf(model: { readonly provider: string; readonly id: string } | undefined): Family {
  if (!model) return otherFamily
  // The id first: one provider may have the models of many.
  const match = (name: string): Family | undefined => families.find(([pattern]) => pattern.test(name))?.[1]
  return match(model.id) ?? match(model.provider) ?? otherFamily
}

function blockTokens(block: ContentBlock | ToolResultContent, family: Family): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text, family.prose)
    case 'reasoning':
      // What only the provider can read is as long as what it stands for.
      return textTokens(block.text, family.prose) + (block.redacted?.length ?? 0) / family.prose
    case 'tool_use':
      return callFrame + textTokens(block.name, family.prose) + jsonTokens(block.input, family)
    case 'server_tool_use':
      return callFrame + textTokens(block.name, family.prose) + jsonTokens(block.input, family)
    case 'server_tool_result':
      return resultFrame + jsonTokens(block.content, family)
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + blockTokens(part, family), resultFrame)
    case 'json':
      return jsonTokens(block.value, family)
    case 'image':
      return family.image
    case 'document':
      return documentTokens(block.source, family)
    case 'cache_point':
      return 0
  }
}

const jsonTokens = (value: unknown, family: Family): number => textTokens(JSON.stringify(value) ?? '', family.json)

function documentTokens(source: MediaSource, family: Family): number {
  if (source.type === 'text') return textTokens(source.text, family.prose)
  return source.type === 'url' ? unknownDocument : Math.max(leastDocument, source.data.length / base64PerToken)
}

/** A text in the Latin alphabet by its length; of other alphabets a token has fewer characters, of Chinese about one. */
function textTokens(text: string, perToken: number): number {
  let other = 0
  let wide = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x250) continue
    if (code >= 0x2e80) wide++
    else other++
  }
  return (text.length - other - wide) / perToken + other / 2.2 + wide / 1.2
}
