import type { AskTrust } from './ask-trust.ts'
import type { ProjectFile } from './project-file.ts'
import type { TrustStore } from './trust-store.ts'
import { visible } from './visible.ts'

export type Obeying = {
  readonly store: TrustStore
  /** Asks a person. Without it what was not trusted before is left out, and said so. */
  readonly ask?: AskTrust | undefined
  readonly warn: (text: string) => void
  readonly signal: AbortSignal
}

export type Effects = {
  /** What the file does when it is obeyed, as the end of a sentence: `starts these MCP servers`. */
  readonly does: string
  /** What it does one by one, made visible. Nothing of it has been done. */
  readonly lines: readonly string[]
  /** How to trust it with nobody there to ask: "Trust it with `lena mcp trust`". */
  readonly how: string
}

/**
 * May a file of the folder be obeyed? It must have been trusted with this content, or a person says so now. Call it before anything
 * of the file has an effect, and obey `file.text` alone: the file may be another one by then.
 */
export async function isObeyed(file: ProjectFile, { does, lines, how }: Effects, obeying: Obeying): Promise<boolean> {
  const { store, ask, warn, signal } = obeying
  if (await store.isTrusted(file)) return true
  const hasChanged = await store.wasTrusted(file)
  if (!ask) {
    const why = hasChanged ? 'has changed since it was trusted' : 'is not trusted'
    warn(`${visible(file.path)} ${why}, so it is left out. It ${does}. ${how}`)
    return false
  }
  const answer = await ask({ file, does, lines, hasChanged, signal })
  if (answer !== 'always') return answer === 'once'
  try {
    await store.trust(file)
  } catch (error) {
    warn(`That you trust ${visible(file.path)} could not be kept, so you will be asked again: ${(error as Error).message}`)
  }
  return true
}
