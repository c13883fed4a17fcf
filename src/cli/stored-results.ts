import type { ResultStore } from '../index.ts'
import { fileResults } from '../toolkit/index.ts'

/** Where results go that are too long for the model, and whether a file is one of them: reading those back needs no permission. */
export function storedResults(): { readonly results: ResultStore; readonly isStored: (path: string) => boolean } {
  const store = fileResults()
  const paths = new Set<string>()
  return {
    results: {
      ...store,
      async put(result, options) {
        const kept = await store.put(result, options)
        paths.add(kept.path)
        return kept
      },
    },
    isStored: (path) => paths.has(path),
  }
}
