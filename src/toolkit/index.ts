import type { Tool } from '../tools/tool.ts'
import { editFile } from './edit-file.ts'
import { fileLog } from './files/file-log.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { listDir } from './list-dir.ts'
import type { ToolkitOptions } from './options.ts'
import { readFile } from './read-file.ts'
import { shell } from './shell.ts'
import { todo } from './todo.ts'
import { memoryUndo } from './undo/memory-undo.ts'
import type { UndoLog } from './undo/undo-log.ts'
import { writeFile } from './write-file.ts'

export { fileResults } from '../results/file-results.ts'
export { editFile } from './edit-file.ts'
export { fileLog } from './files/file-log.ts'
export type { FileLog, FileVersion, Knowledge } from './files/file-log.ts'
export { glob } from './glob.ts'
export { grep } from './grep.ts'
export { listDir } from './list-dir.ts'
export type { ToolkitOptions } from './options.ts'
export { readFile } from './read-file.ts'
export { shell } from './shell.ts'
export type { ShellResult } from './shell.ts'
export { todo } from './todo.ts'
export type { TodoItem, TodoResult } from './todo.ts'
export { fileUndo } from './undo/file-undo.ts'
export type { FileUndoOptions } from './undo/file-undo.ts'
export { memoryUndo } from './undo/memory-undo.ts'
export { undoLast } from './undo/undo-last.ts'
export type { Undone } from './undo/undo-last.ts'
export type { Change, NewChange, UndoBounds, UndoLog } from './undo/undo-log.ts'
export { writeFile } from './write-file.ts'

/** Tools, and where the old content of the files goes that they change: `undoLast(toolkit.undo)` takes back the last change. */
export type Toolkit = readonly Tool[] & { readonly undo: UndoLog }

/**
 * The tools for work in a folder: `read_file`, `list_dir`, `write_file`, `shell`, `edit_file`, `glob`, `grep` and `todo`. They share what
 * the model has seen, and what can be undone.
 */
export function toolkit(options: ToolkitOptions = {}): Toolkit {
  const undo = options.undo ?? memoryUndo()
  const shared = { ...options, files: options.files ?? fileLog(), undo }
  const tools = [readFile(shared), listDir(shared), writeFile(shared), shell(shared), editFile(shared), glob(shared), grep(shared), todo()]
  return Object.assign(tools, { undo })
}
