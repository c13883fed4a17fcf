import type { FileStats, FileSystem } from '../host/file-system.ts'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { counted } from './counted.ts'
import { lstatOrNothing } from './files/atomic-write.ts'
import { fileError } from './files/file-error.ts'
import { fileLog } from './files/file-log.ts'
import type { FileLog } from './files/file-log.ts'
import { judgedTarget } from './files/judged-target.ts'
import { lineDiff, splitLines } from './files/line-diff.ts'
import { onePerFile } from './files/one-per-file.ts'
import { openRegular, refuseOther } from './files/open-regular.ts'
import { locate } from './files/paths.ts'
import { readAll } from './files/read-bytes.ts'
import { versionOf } from './files/read-lines.ts'
import { maxKeptBytes, replaceFile } from './files/replace-file.ts'
import { kindOfBytes, sampleBytes } from './files/text-kind.ts'
import { groundOf } from './ground.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import type { UndoLog } from './undo/undo-log.ts'

type WriteFileInput = { readonly path: string; readonly content: string }

/** Of larger old files no difference is shown. */
const maxDiffedBytes = 2 * 1024 * 1024

const description = `Writes a whole file: creates it, parent folders included, or replaces all of its content with "content" exactly as given. \
A file that exists must have been read to its end with read_file before, and not have changed since; otherwise nothing is written and the answer says why.`

/**
 * The tool `write_file`: writes a whole text file as UTF-8, in one step.
 *
 * A link is followed to the file it stands for. Destructive when that file lies outside the workspace. Calls for one file run one
 * after another. What `read_file` showed is known through `options.files`; without a shared one, only files written by this very
 * tool can be overwritten.
 */
export function writeFile(options: ToolkitOptions = {}) {
  checkToolkitOptions('writeFile', options)
  const ground = groundOf(options)
  const { files } = ground
  const { files: log = fileLog(), undo } = options
  const target = judgedTarget<WriteFileInput>(ground)
  return tool({
    name: 'write_file',
    description,
    inputSchema: jsonSchema<WriteFileInput>({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Relative to the workspace, or absolute.' },
        content: { type: 'string', description: 'The whole new content.' },
      },
      required: ['path', 'content'],
    }),
    isReadOnly: false,
    isDestructive: (input) => target.isOutside(input),
    isConcurrencySafe: (input) => target.now(input),
    execute: async (input, { signal }): Promise<string> => {
      const named = locate(ground, input.path)
      refuseHalfCharacters(input.content)
      signal.throwIfAborted()
      try {
        const path = await target.atRun(input)
        return await onePerFile(files, path, () => write(path, input, { files, log, undo, signal }), signal)
      } catch (error) {
        throw signal.aborted ? error : await fileError(files, error, named, input.path)
      }
    },
  })
}

type Surroundings = {
  readonly files: FileSystem
  readonly log: FileLog
  readonly undo: UndoLog | undefined
  readonly signal: AbortSignal
}

async function write(path: string, { path: given, content }: WriteFileInput, surroundings: Surroundings): Promise<string> {
  const { files, log, undo, signal } = surroundings
  const stats = await lstatOrNothing(files, path)
  const old = stats && (await oldFile(path, given, stats, surroundings))
  const data = Buffer.from(content, 'utf8')
  const size = `${counted(splitLines(content).length, 'line')}, ${counted(data.length, 'byte')}`
  if (old?.text === content) return `${given} already has exactly this content (${size}). Nothing was written.`
  const { version, notes } = await replaceFile({ files, path, data, old: stats && { stats, content: old?.content }, undo, signal })
  log.sawAll(path, version)
  if (!old) return `Created ${given} (${size}).`
  return [
    `Overwrote ${given} (${size}; before: ${counted(Number(stats.size), 'byte')}).`,
    ...notesOn(old, content, stats),
    ...notes,
    differenceOf(old, content),
  ].join('\n')
}

/** What stood in the file; `text` is absent when it is too large to compare, or no text. */
type OldFile = { readonly text: string | undefined; readonly content: Buffer | undefined }

/** @throws {Error} when the file may not be overwritten. */
async function oldFile(path: string, given: string, stats: FileStats, { files, log, signal }: Surroundings): Promise<OldFile> {
  const shown = JSON.stringify(given)
  if (stats.kind === 'folder') throw new Error(`${shown} is a folder. Give the path of a file in it.`)
  refuseOther(stats, given)
  const { handle, stats: opened } = await openRegular(files, path, given)
  try {
    const knows = log.knows(path, await versionOf(handle, opened, signal))
    if (knows === 'unread')
      throw new Error(
        `${shown} exists and was not read in this session, so it was not overwritten. Read it with read_file first, then write. A file that read_file cannot show has to be moved away first.`,
      )
    if (knows === 'changed')
      throw new Error(
        `${shown} has changed since it was last read or written, so it was not overwritten. Read it again with read_file, then write.`,
      )
    if (knows !== 'known') {
      const ofAll = knows.lines === undefined ? '' : ` of ${knows.lines}`
      throw new Error(
        `Only the first ${counted(knows.readTo, 'line')}${ofAll} of ${shown} ${knows.readTo === 1 ? 'was' : 'were'} read, so it was not overwritten: the rest would be lost unseen. Read on with read_file and offset=${knows.readTo + 1}, then write.`,
      )
    }
    if (opened.size > maxKeptBytes) return { text: undefined, content: undefined }
    const content = await readAll(handle, opened.size)
    const isText = content.length <= maxDiffedBytes && kindOfBytes(content.subarray(0, sampleBytes)).type === 'text'
    return { text: isText ? content.toString('utf8') : undefined, content }
  } finally {
    await handle.close()
  }
}

function differenceOf({ text }: OldFile, content: string): string {
  if (text === undefined) return '[The old content was too large, or no text, to show what changed.]'
  return lineDiff(text, content) || '[Only the end of the last line changed.]'
}

const bom = '\ufeff'
const lineEnds = (text: string): string => {
  const crlf = text.split('\r\n').length - 1
  const all = text.split('\n').length - 1
  return all === 0 ? 'none' : crlf === all ? 'CRLF' : crlf === 0 ? 'LF' : 'mixed'
}

/** What `read_file` does not show in the lines, and is easily lost for that. */
function notesOn({ text }: OldFile, content: string, { links }: FileStats): string[] {
  const notes: string[] = []
  if (text !== undefined) {
    const [before, after] = [lineEnds(text), lineEnds(content)]
    if (before !== after && before !== 'none' && after !== 'none') notes.push(`[The line ends were ${before} and are ${after} now.]`)
    if (text.startsWith(bom) && !content.startsWith(bom)) notes.push('[The byte-order mark at the start is gone.]')
  }
  if (links > 1) notes.push(`[The file had ${counted(links - 1, 'other name')} (hard links); the old content stays there.]`)
  return notes
}

/** @throws {Error} Written as UTF-8, half a surrogate pair would silently become another character. */
function refuseHalfCharacters(content: string): void {
  const at = content.search(/\p{Surrogate}/u)
  if (at >= 0)
    throw new Error(
      `content holds half of a character (a lone surrogate) at index ${at}. Nothing was written; send the content again without it.`,
    )
}
