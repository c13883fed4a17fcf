import { join } from 'node:path'
import { openRegular } from '../files/open-regular.ts'
import { excerptOf } from './hits.ts'
import type { FileHits, LineQuery, Place, Row } from './hits.ts'
import { lineMatcher } from './line-matcher.ts'
import type { LineMatcher } from './line-matcher.ts'
import { lineRegExp } from './rust-regex.ts'
import { textLines } from './text-lines.ts'
import { walk } from './walk.ts'

/** Searches without ripgrep, to the same result, only slower. */
export async function* grepInProcess(query: LineQuery, place: Place, signal: AbortSignal): AsyncGenerator<FileHits> {
  const matcher = lineMatcher(lineRegExp(query.pattern, query))
  for await (const path of place.file === undefined ? walk(place.files, place.folder, signal) : [place.file]) {
    if (!place.wants(path)) continue
    const hits = await searchFile(path, place, matcher, query, signal)
    if (hits) yield hits
  }
}

async function searchFile(
  path: string,
  { files, folder }: Place,
  matcher: LineMatcher,
  query: LineQuery,
  signal: AbortSignal,
): Promise<FileHits | undefined> {
  const file = await openRegular(files, join(folder, path), path).catch(() => undefined)
  // It is gone, or may not be read.
  if (!file) return undefined
  try {
    const found = collect(query)
    const batches = textLines(file.handle, signal)
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value && found.matches() > 0 ? { path, rows: found.rows, matches: found.matches() } : undefined
      found.take(next.value, matcher(next.value))
    }
  } finally {
    await file.handle.close()
  }
}

/** Rows that match, with the lines around them. */
function collect({ context, maxRows }: LineQuery) {
  const rows: Row[] = []
  let before: Row[] = []
  let line = 0
  let matches = 0
  let after = 0
  return {
    rows,
    matches: () => matches,
    take(lines: readonly string[], found: readonly number[]): void {
      lines.forEach((text, index) => {
        line++
        const at = found[index]!
        if (at >= 0) {
          matches++
          if (matches <= maxRows) rows.push(...before, { line, text: excerptOf(text, at), isMatch: true })
          before = []
          after = context
        } else if (after > 0 && matches <= maxRows) {
          after--
          rows.push({ line, text: excerptOf(text, 0), isMatch: false })
        } else if (context > 0) {
          before.push({ line, text: excerptOf(text, 0), isMatch: false })
          if (before.length > context) before.shift()
        }
      })
    },
  }
}
