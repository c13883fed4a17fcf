import type { Family as ClaudeFamily } from '../anthropic/families.ts'
import { familyOf as claudeFamilyOf } from '../anthropic/families.ts'

/** What the models of one maker and generation take, as far as a request depends on it. */
export type Family = {
  /** Whose model it is: what one maker's model has signed, no other's takes. Nothing when the id does not tell. */
  readonly maker: string | undefined
  /** What is known of it where it is a Claude. */
  readonly claude: ClaudeFamily | undefined
  /** How thinking is asked for. */
  readonly thinking: 'claude' | 'nova' | 'gpt_oss' | 'unknown'
  /** Where cache points may stand: nowhere, in system prompt and messages, or behind the tools too. */
  readonly caches: 'nowhere' | 'prompt' | 'everywhere'
  /** Keeps a cache for an hour. */
  readonly cachesLong: boolean
  /** What it can be made to call: one tool, any of them, or nothing. */
  readonly forced: 'one' | 'any' | 'nothing'
  /** Takes the status of a result, and pictures in it. */
  readonly readsResults: boolean
  /** Binds its answer to a schema. */
  readonly bindsOutput: boolean
  /** How it goes on from a last message of the assistant, as with Claude. */
  readonly goesOn: ClaudeFamily['goesOn']
  readonly contextWindow: number | undefined
}

const other = {
  claude: undefined,
  thinking: 'unknown',
  caches: 'nowhere',
  cachesLong: false,
  forced: 'one',
  readsResults: false,
  bindsOutput: false,
  goesOn: 'asked',
  contextWindow: undefined,
} as const

/** Prefixes of inference profiles that span regions. */
const area = /^(global|apac|[a-z]{2}(-gov)?)$/
/** Makers whose models refuse to be forced, and one whose models can only be made to call something. */
const unforced = new Set(['ai21', 'cohere', 'meta', 'writer'])

/**
 * What is known of a model by its id, as of November 2026: `anthropic.claude-sonnet-4-6`, `us.amazon.nova-2-lite-v1:0`, or an
 * ARN that ends in one. Of an id that names no model all is taken as it was asked for.
 */
export function familyOf(id: string): Family {
  const parts = id.slice(id.lastIndexOf('/') + 1).split('.')
  const maker = parts.length > 1 ? parts[area.test(parts[0]!) ? 1 : 0] : undefined
  switch (maker) {
    case undefined:
      return { ...other, maker, caches: 'everywhere', cachesLong: true, readsResults: true }
    case 'anthropic':
      return claude(id, maker)
    case 'amazon':
      return id.includes('nova') ? nova(id, maker) : { ...other, maker, forced: 'nothing' }
    case 'openai':
      return { ...other, maker, thinking: id.includes('gpt-oss') ? 'gpt_oss' : 'unknown' }
    case 'mistral':
      return { ...other, maker, forced: 'any' }
    default:
      return { ...other, maker, forced: unforced.has(maker) ? 'nothing' : 'one' }
  }
}

function claude(id: string, maker: string): Family {
  if (/claude-(v\d|instant)/.test(id)) return { ...other, maker, forced: 'nothing', goesOn: 'itself' }
  const family = claudeFamilyOf(id)
  return {
    maker,
    claude: family,
    thinking: 'claude',
    caches: /claude-3-(opus|sonnet|haiku|5-sonnet)/.test(id) ? 'nowhere' : 'everywhere',
    cachesLong: !/claude-(3-|(opus|sonnet)-4-(1-)?20\d{6})/.test(id),
    forced: 'one',
    readsResults: true,
    // Fewer than at the maker's own address.
    bindsOutput: /claude-(sonnet|haiku|opus)-4-5|claude-opus-4-6/.test(id),
    goesOn: family.goesOn,
    contextWindow: family.contextWindow,
  }
}

function nova(id: string, maker: string): Family {
  const isSecond = /nova-2/.test(id)
  return {
    ...other,
    maker,
    thinking: isSecond ? 'nova' : 'unknown',
    caches: 'prompt',
    readsResults: true,
    goesOn: 'itself',
    contextWindow: isSecond || id.includes('premier') ? 1_000_000 : id.includes('micro') ? 128_000 : 300_000,
  }
}
