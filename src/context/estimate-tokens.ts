import { InputError } from '../errors.ts'
import type { ContentBlock, MediaSource, ReasoningBlock, ToolResultContent } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { ModelRequest } from '../models/model.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import { textTokens } from './text-tokens.ts'

/** How a family of models counts, in tokens. Measured on recorded usage; see `docs/context.md`. */
type Family = {
  /** Tokens of a text for each that is counted by its words, numbers and signs. */
  readonly scale: number
  /** Letters of other alphabets for one token. */
  readonly foreignLetters: number
  /** Of the frame around a message, a call, each field of its input, and a result: ids, names, roles. */
  readonly message: number
  readonly call: number
  readonly field: number
  readonly result: number
  /** Of the frame around all tools, and around each. */
  readonly tools: number
  readonly tool: number
  /** What becomes of the JSON of a schema: some are told their tools in fewer words. */
  readonly schema: number
  readonly image: number
}

const families: readonly (readonly [name: RegExp, family: Family])[] = [
  [
    /claude|anthropic/i,
    { scale: 1.15, foreignLetters: 1.7, message: 4, call: 34, field: 13, result: 13, tools: 400, tool: 30, schema: 1, image: 1600 },
  ],
  [
    /gpt|openai|\bo[134]\b/i,
    { scale: 1, foreignLetters: 2.8, message: 4, call: 14, field: 0, result: 8, tools: 20, tool: 8, schema: 0.6, image: 1100 },
  ],
  [
    /gemini|gemma/i,
    { scale: 1.05, foreignLetters: 2.8, message: 4, call: 12, field: 4, result: 14, tools: 20, tool: 12, schema: 0.6, image: 1100 },
  ],
]
/** Of all others the most that is known of any: a history that is cut too early costs less than one that is refused. */
const otherFamily: Family = {
  scale: 1.15,
  foreignLetters: 1.7,
  message: 4,
  call: 26,
  field: 6,
  result: 14,
  tools: 200,
  tool: 15,
  schema: 1,
  image: 1600,
}

/** Tokens of a document of which only the address is known. */
const unknownDocument = 3000
/** A page of a PDF has some 60,000 characters of base64, and is read as text and as an image: some 2,000 tokens. */
const base64PerToken = 30
const leastDocument = 1500
/** Thoughts that only the provider can read are six to eight characters for each token that was thought. */
const sealedPerToken = 6
/** Characters for one token of JSON, which is what fills histories. Prose has more. */
const denseChars = 3

type ModelName = { readonly provider: string; readonly id: string }
const kept = new WeakMap<Family, WeakMap<object, number>>()

/** Characters that make a token of this model, at the least that is usual. */
export const charsPerToken = (model?: ModelName): number => denseChars / familyOf(model).scale

/**
 * About how many tokens these messages take. Texts are counted by their words, numbers and signs, frames of messages, calls and
 * results as the model's family has them, images and documents by rule. It is made to be rather too high than too low; what
 * the provider counted is better, where there is a count.
 *
 * @param model whose family it is; a family that is not known counts as the dearest.
 */
export function estimateTokens(messages: readonly Message[], model?: ModelName): number {
  if (!Array.isArray(messages)) throw new InputError(`estimateTokens(): expected a list of messages, got ${describe(messages)}.`)
  const family = familyOf(model)
  let tokens = 0
  for (const message of messages as readonly Message[]) {
    const count = (): number => message.content.reduce((sum, block) => sum + blockTokens(block, family), family.message)
    // A stored message never changes; somebody else's may.
    tokens += Object.isFrozen(message) ? once(family, message, count) : count()
  }
  return Math.ceil(tokens)
}

/**
 * About how many tokens the system prompt and the tools of a request take, which go with every history. Both are counted once:
 * whoever has others gives other arrays.
 */
export function estimateFrameTokens({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>, model?: ModelName): number {
  const family = familyOf(model)
  const prompt = once(family, system, () => system.reduce((sum, block) => sum + blockTokens(block, family), 0))
  const specs = once(family, tools, () =>
    tools.reduce((sum, spec) => sum + family.tool + jsonTokens(spec, family) * family.schema, tools.length > 0 ? family.tools : 0),
  )
  return Math.ceil(prompt + specs)
}

type Counted = { readonly messages: readonly Message[]; readonly tokens: number; readonly model: ModelName }

/**
 * The tokens of a request once these messages stand in the place of the history. What goes is estimated; where all of the history was
 * estimated too high, what goes was too, and counts for less.
 */
export function tokensWith({ messages, tokens, model }: Counted, now: readonly Message[]): number {
  const before = estimateTokens(messages, model)
  const scale = before > tokens ? tokens / before : 1
  return Math.max(0, Math.ceil(tokens - (before - estimateTokens(now, model)) * scale))
}

function once(family: Family, thing: object, count: () => number): number {
  let counts = kept.get(family)
  if (!counts) kept.set(family, (counts = new WeakMap()))
  let counted = counts.get(thing)
  if (counted === undefined) counts.set(thing, (counted = count()))
  return counted
}

function familyOf(model: ModelName | undefined): Family {
  if (!model) return otherFamily
  // The id first: one provider may have the models of many.
  const match = (name: string): Family | undefined => families.find(([pattern]) => pattern.test(name))?.[1]
  return match(model.id) ?? match(model.provider) ?? otherFamily
}

function blockTokens(block: ContentBlock | ToolResultContent, family: Family): number {
  switch (block.type) {
    case 'text':
      return proseTokens(block.text, family)
    case 'reasoning':
      return Math.max(proseTokens(block.text, family), sealedTokens(block))
    case 'tool_use':
    case 'server_tool_use':
      return callTokens(block.name, block.input, family)
    case 'server_tool_result':
      return family.result + jsonTokens(block.content, family)
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + blockTokens(part, family), family.result)
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

const proseTokens = (text: string, { scale, foreignLetters }: Family): number => textTokens(text, foreignLetters) * scale

const jsonTokens = (value: unknown, family: Family): number => proseTokens(JSON.stringify(value) ?? '', family)

function callTokens(name: string, input: unknown, family: Family): number {
  const fields = isObject(input) ? Object.keys(input).length : 0
  return family.call + proseTokens(name, family) + jsonTokens(input, family) + fields * family.field
}

/** The signature of a thought that can be read seals only that. */
function sealedTokens({ text, signature, redacted }: ReasoningBlock): number {
  return Math.max(redacted?.length ?? 0, text === '' ? (signature?.length ?? 0) : 0) / sealedPerToken
}

function documentTokens(source: MediaSource, family: Family): number {
  if (source.type === 'text') return proseTokens(source.text, family)
  return source.type === 'url' ? unknownDocument : Math.max(leastDocument, source.data.length / base64PerToken)
}
