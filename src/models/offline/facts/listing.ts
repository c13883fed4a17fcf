import type { Listing } from '../acts/list-dir.ts'
import { code, listed, plural } from '../language/english.ts'
import { inFolder } from '../language/names.ts'
import type { Finding } from '../site.ts'

const maxShown = 100

/** What a folder holds, in words. */
export function describeListing({ path, entries, complete }: Listing): Finding {
  const where = path === '.' ? 'This folder' : code(path)
  if (entries.length === 0) return { say: complete ? `${where} is empty.` : `${where} could not be shown.`, value: '', files: [] }
  const names = entries.map(({ name, isFolder }) => (isFolder ? `${name}/` : name))
  const files = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => inFolder(path, name))
  const counts = countsSaid(entries.length - files.length, files.length)
  const shown = names.slice(0, maxShown).map((name) => `- ${name}`)
  if (names.length > maxShown) shown.push(`- and ${names.length - maxShown} more`)
  const note = complete ? '' : '\n\nThe tool did not show all of it.'
  return {
    say: `${where} has ${complete ? '' : 'at least '}${counts}:\n\n${shown.join('\n')}${note}`,
    value: names.join('\n'),
    partial: !complete,
    files,
    amount: { number: entries.length, said: counts },
  }
}

/** `2 folders and 3 files`, without the one that there is none of. */
export function countsSaid(folders: number, files: number): string {
  const counts = [folders > 0 ? plural(folders, 'folder') : '', files > 0 ? plural(files, 'file') : '']
  return listed(counts.filter((part) => part !== '')) || 'nothing'
}
