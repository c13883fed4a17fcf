import type { ResultStore, Session } from '../index.ts'
import { fileResults } from '../toolkit/index.ts'

/**
 * Where results go that are too long for the model, and whether a file is one of them: reading those back needs no permission.
 *
 * @param session what is gone on with: the results that its history names count too.
 */
export async function storedResults(
  session?: Session,
): Promise<{ readonly results: ResultStore; readonly isStored: (path: string) => boolean }> {
  const store = fileResults()
  const paths = new Set<string>()
  for (const path of session ? await pathsNamedIn(session) : []) if (await store.owns(path)) paths.add(path)
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

async function pathsNamedIn(session: Session): Promise<ReadonlySet<string>> {
  const { messages } = await session.restore()
  const paths = new Set<string>()
  for (const { content } of messages)
    for (const block of content) {
      if (block.type !== 'tool_result') continue
      for (const item of block.content)
        if (item.type === 'text') for (const [, path] of item.text.matchAll(/<persisted-output path="([^"\n]{1,1000})"/g)) paths.add(path!)
    }
  return paths
}
