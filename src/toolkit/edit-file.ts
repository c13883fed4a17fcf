import type { FileStats, FileSystem } from '../host/file-system.ts'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { counted } from './counted.ts'
import { applyEdits } from './edit/apply-edits.ts'
import { findEdits, lineAt } from './edit/find-edits.ts'
import type { Edit, FoundEdits } from './edit/find-edits.ts'
import { normalised } from './edit/normalised.ts'
import { fileError } from './files/file-error.ts'
import { fileLog } from './files/file-log.ts'
import type { FileLog, FileVersion, Knowledge } from './files/file-log.ts'
import { judgedTarget } from './files/judged-target.ts'
import { lineDiff, splitLines } from './files/line-diff.ts'
import { onePerFile } from './files/one-per-file.ts'
import { openRegular } from './files/open-regular.ts'
import { locate, shellWord } from './files/paths.ts'
import { readAll } from './files/read-bytes.ts'
import { hashOf } from './files/read-lines.ts'
import { replaceFile } from './files/replace-file.ts'
import { kindOfBytes, sampleBytes } from './files/text-kind.ts'
import { groundOf } from './ground.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import type { UndoLog } from './undo/undo-log.ts'

type EditFileInput = {
  readonly path: string
  readonly old?: string | undefined
  readonly new?: string | undefined
  readonly all?: boolean | undefined
  readonly edits?: readonly Edit[] | undefined
}

const maxEdits = 200
/** Larger files are no work for a text editor. */
const maxBytes = 20 * 1024 * 1024

const description = `Changes parts of a text file: replaces the text "old" by "new". Give one edit as "old" and "new", or several in "edits"; either all \
are made or none. "old" must be in the file exactly once, as read_file shows it without the line numbers, with enough of the lines around it to be unique; \
"all" replaces every one. The file must have been read with read_file before, and not have changed since.`

const texts = {
  old: { type: 'string', description: 'The text to be replaced, exactly as it is in the file.' },
  new: { type: 'string', description: 'What comes in its place. Empty: the text is taken out.' },
  all: { type: 'boolean', description: 'Every place where the old text stands. Default: false.' },
} as const

/**
 * The tool `edit_file`: replaces parts of a UTF-8 text file, in one step.
 *
 * The old text is looked for exactly first, then with typographic quotes, dashes and spaces taken for plain ones. All edits are found
 * in the text as it was; two that overlap are refused. Line ends (also mixed ones), byte-order mark and mode stay. Links and flags
 * are as in `write_file`; a file that was read in part may be edited.
 */
export function editFile(options: ToolkitOptions = {}) {
  checkToolkitOptions('editFile', options)
  const ground = groundOf(options)
  const { files } = ground
  const { files: log = fileLog(), undo } = options
  const target = judgedTarget<EditFileInput>(ground)
  return tool({
    name: 'edit_file',
    description,
    inputSchema: jsonSchema<EditFileInput>({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Relative to the workspace, or absolute.' },
        ...texts,
        edits: {
          type: 'array',
          minItems: 1,
          maxItems: maxEdits,
          description: 'Several edits, in the place of "old" and "new". All are found in the file as it is now; they must not overlap.',
          items: { type: 'object', properties: texts, required: ['old', 'new'] },
        },
      },
      required: ['path'],
    }),
    isReadOnly: false,
    isDestructive: (input) => target.isOutside(input),
    isConcurrencySafe: (input) => target.now(input),
    execute: async (input, { signal }): Promise<string> => {
      const edits = editsOf(input)
      const named = locate(ground, input.path)
      signal.throwIfAborted()
      try {
        const path = await target.atRun(input)
        return await onePerFile(files, path, () => edit(path, input.path, edits, { files, log, undo, signal }), signal)
      } catch (error) {
        throw signal.aborted ? error : await fileError(files, error, named, input.path)
      }
    },
  })
}

/** @throws {Error} for edits that cannot be meant. */
function editsOf({ old, new: text, all, edits }: EditFileInput): readonly Edit[] {
  if (edits !== undefined && (old !== undefined || text !== undefined))
    throw new Error('Give either "old" and "new", or "edits", not both. Nothing was changed.')
  if (edits === undefined && (old === undefined || text === undefined))
    throw new Error(
      `${old === undefined ? '"old"' : '"new"'} is missing: give "old" and "new", or a list of them as "edits". Nothing was changed.`,
    )
  const given = edits ?? [{ old: old!, new: text!, all }]
  if (given.length === 0 || given.length > maxEdits)
    throw new Error(`"edits" must hold 1 to ${maxEdits} edits, got ${given.length}. Nothing was changed.`)
  given.forEach((edit, index) => {
    const name = given.length === 1 ? '' : ` in edits[${index}]`
    if (edit.old === '')
      throw new Error(
        `"old" is empty${name}. To put text in, give the line beside it as "old", and that line with the text as "new"; to make a file use write_file. Nothing was changed.`,
      )
    if (edit.old.replaceAll('\r\n', '\n') === edit.new.replaceAll('\r\n', '\n'))
      throw new Error(`"old" and "new" are the same text${name}: line ends are kept as the file has them. Nothing was changed.`)
    const half = edit.new.search(/\p{Surrogate}/u)
    if (half >= 0) throw new Error(`"new" holds half of a character (a lone surrogate) at index ${half}${name}. Nothing was changed.`)
  })
  return given
}

type Surroundings = {
  readonly files: FileSystem
  readonly log: FileLog
  readonly undo: UndoLog | undefined
  readonly signal: AbortSignal
}

async function edit(path: string, given: string, edits: readonly Edit[], { files, log, undo, signal }: Surroundings): Promise<string> {
  const { bytes, stats } = await readWhole(files, path, given)
  const before: FileVersion = { size: stats.size, mtimeNs: stats.mtimeNs, hash: await hashOf(bytes) }
  const knows = log.knows(path, before)
  refuseUnseen(knows, given)
  const text = decode(bytes, given)
  const plain = normalised(text)
  const found = findEdits(plain.text, edits)
  const changed = applyEdits(text, plain, found.replacements)
  if (changed === text) return `The edits leave ${given} as it is. Nothing was written.`
  signal.throwIfAborted()
  const { version, notes } = await replaceFile({ files, path, data: Buffer.from(changed), old: { stats, content: bytes }, undo, signal })
  if (knows === 'known') log.sawAll(path, version)
  // Seen as it is now, but none of its lines: to overwrite the whole file it has to be read.
  else log.sawLines(path, version, { from: 1, to: 0, lines: splitLines(changed).length })
  const after = normalised(changed).text
  return [
    `Edited ${given} (${placesOf(plain.text, found)}; now ${counted(splitLines(after).length, 'line')}).`,
    ...notesOn(found, edits.length, stats),
    ...notes,
    lineDiff(plain.text, after) || '[Only the end of the last line changed.]',
  ].join('\n')
}

type Whole = { readonly bytes: Buffer; readonly stats: FileStats }

async function readWhole(files: FileSystem, path: string, given: string): Promise<Whole> {
  const { handle, stats } = await openRegular(files, path, given)
  try {
    if (stats.size > maxBytes)
      throw new Error(
        `${JSON.stringify(given)} has ${stats.size} bytes; edit_file changes files of up to ${maxBytes} bytes. Use shell, for example: sed -i ${shellWord(given)}`,
      )
    return { bytes: await readAll(handle, stats.size), stats }
  } finally {
    await handle.close()
  }
}

function refuseUnseen(knows: Knowledge, given: string): void {
  const shown = JSON.stringify(given)
  if (knows === 'unread')
    throw new Error(`${shown} was not read in this session, so it was not changed. Read it with read_file first, then edit.`)
  if (knows === 'changed')
    throw new Error(
      `${shown} has changed since it was last read or written, so it was not changed here. Read it again with read_file, then edit.`,
    )
}

/** The byte-order mark stays a part of the text, so that it is written again. */
function decode(bytes: Buffer, given: string): string {
  const kind = kindOfBytes(bytes.subarray(0, sampleBytes))
  const shown = JSON.stringify(given)
  if (kind.type === 'binary') throw new Error(`${shown} is a binary file (${kind.why}), which edit_file does not change.`)
  if (kind.type === 'foreign')
    throw new Error(
      `${shown} is text, but its encoding is ${kind.encoding}; edit_file changes UTF-8 only, and would damage it. Nothing was changed. Convert it with shell: iconv -f ${kind.iconv} -t UTF-8 ${shellWord(given)}`,
    )
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error(
      `${shown} holds bytes that are no UTF-8, which edit_file would damage. Nothing was changed. Use shell, for example sed or perl.`,
    )
  }
}

function placesOf(text: string, { replacements }: FoundEdits): string {
  const lines = [...new Set(replacements.slice(0, 20).map(({ from }) => lineAt(text, from)))]
  return `${counted(replacements.length, 'replacement')}, line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${replacements.length > 20 ? ' …' : ''}`
}

function notesOn({ byLikeness }: FoundEdits, count: number, { links }: FileStats): string[] {
  const notes: string[] = []
  if (byLikeness.length > 0) {
    const which = count === 1 ? 'The old text' : byLikeness.map((index) => `edits[${index}]`).join(', ')
    notes.push(
      `[${which} ${byLikeness.length === 1 ? 'fits' : 'fit'} only with quotes, dashes or spaces of another kind; the file keeps its own where they do not change.]`,
    )
  }
  if (links > 1) notes.push(`[The file had ${counted(links - 1, 'other name')} (hard links); the old content stays there.]`)
  return notes
}
