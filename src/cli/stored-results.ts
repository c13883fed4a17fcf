import type { Session } from '../index.ts'

/** The paths of stored results that the history of a session names. */
export async function pathsOfResults(session: Session): Promise<ReadonlySet<string>> {
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
