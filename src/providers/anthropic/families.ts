/** What the models of one generation take, as far as a request depends on it. */
export type Family = {
  /** The limit of an answer when none is set: the API wants one. */
  readonly maxTokens: number
  readonly contextWindow: number | undefined
  /** How thinking is asked for: by a budget of tokens, by an effort, or by either. */
  readonly thinking: 'budget' | 'either' | 'effort'
  /** Thinking cannot be switched off. */
  readonly alwaysThinks: boolean
  /** How many of temperature and top_p it takes. */
  readonly samplers: 'both' | 'one' | 'none'
  /**
   * Does it go on from a last message of the assistant: by itself, when a word of the user asks for it, or not at all, as
   * its thinking is bound to the messages before it, and that word is in no history?
   */
  readonly goesOn: 'itself' | 'asked' | 'never'
  /** Binds its answer to a schema. */
  readonly bindsOutput: boolean
  /** Signs what it thinks, and takes back nothing without its signature. */
  readonly signs: boolean
}

/** Other people's models behind the same API. */
const other: Family = {
  maxTokens: 8192,
  contextWindow: undefined,
  thinking: 'budget',
  alwaysThinks: false,
  samplers: 'both',
  goesOn: 'itself',
  bindsOutput: false,
  signs: false,
}

/** `claude-opus-4-20250514`, `claude-sonnet-4-5`, `claude-3-7-sonnet-latest`, `anthropic/claude-haiku-4.5`. */
const versioned = /claude-(?:([a-z]+)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/
const newest = 505

/**
 * What is known of a model by its name, as of November 2026. Versions are compared as 100 × major + minor: 406 is 4.6. A
 * Claude without a version, and one newer than this table, is taken for the newest, which takes the least.
 */
export function familyOf(id: string): Family {
  if (!id.includes('claude')) return other
  const [, name, major, minor = '0'] = versioned.exec(id) ?? []
  const version = major === undefined ? newest : Number(major) * 100 + Number(minor)
  const isLargest = /fable|mythos/.test(id)
  const isBound = version >= (isLargest ? 501 : 505)
  return {
    maxTokens: version < 305 ? 4096 : version < 307 ? 8192 : version < 406 ? 32_000 : 64_000,
    contextWindow: version < 406 ? 200_000 : 1_000_000,
    thinking: version < 406 ? 'budget' : version === 406 ? 'either' : 'effort',
    alwaysThinks: isLargest || (version >= 505 && name !== 'haiku'),
    samplers: version < 401 ? 'both' : version < 407 ? 'one' : 'none',
    goesOn: version < 406 ? 'itself' : isBound ? 'never' : 'asked',
    bindsOutput: version === 401 || version >= 405,
    signs: true,
  }
}
