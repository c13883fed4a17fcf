/** What the models of one generation take, as far as a request depends on it. */
export type Family = {
  /** How thinking is asked for. `none`: there is none to switch off. */
  readonly thinking: 'none' | 'budget' | 'level'
  /** The least budget: a model that cannot stop thinking has one. */
  readonly leastBudget: number
  /** Refuses a call in the history that bears no signature. */
  readonly wantsSignatures: boolean
  /** Binds its answer to a schema while it has tools. */
  readonly bindsOutput: boolean
  readonly contextWindow: number | undefined
}

/** Gemma and other models behind the same API. */
const other: Family = { thinking: 'none', leastBudget: 0, wantsSignatures: false, bindsOutput: false, contextWindow: undefined }

/** `gemini-2.5-flash`, `models/gemini-3-pro-preview`, `publishers/google/models/gemini-3.1-pro`. */
const versioned = /(?:^|\/)gemini-(\d+)(?:\.(\d+))?(?!\d)/
const newest = 999
/** Models that make pictures or speech, or act on a screen: their windows are small and differ. */
const special = /image|tts|audio|live|embedding|robotics|computer/

/**
 * What is known of a model by its name, as of November 2026. Versions are compared as 100 × major + minor: 205 is 2.5. A
 * Gemini without a version (`gemini-flash-latest`) is taken for the newest; `gemini-pro` alone was the first.
 */
export function familyOf(id: string): Family {
  if (!/(?:^|\/)gemini-/.test(id)) return other
  const [, major, minor = '0'] = versioned.exec(id) ?? []
  const unversioned = /gemini-pro(-vision)?$/.test(id) ? 100 : newest
  const version = major === undefined ? unversioned : Number(major) * 100 + Number(minor)
  return {
    thinking: version < 205 ? 'none' : version < 300 ? 'budget' : 'level',
    leastBudget: version >= 205 && version < 300 && id.includes('pro') ? 128 : 0,
    wantsSignatures: version >= 300,
    bindsOutput: version >= 300,
    contextWindow: version < 105 || special.test(id) ? undefined : 1_048_576,
  }
}
