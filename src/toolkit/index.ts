import type { Tool } from '../tools/tool.ts'
import { fileLog } from './files/file-log.ts'
import { listDir } from './list-dir.ts'
import type { ToolkitOptions } from './options.ts'
import { readFile } from './read-file.ts'
import { shell } from './shell.ts'
import { writeFile } from './write-file.ts'

export { fileResults } from '../results/file-results.ts'
export { fileLog } from './files/file-log.ts'
export type { FileLog, FileVersion, Knowledge } from './files/file-log.ts'
export { listDir } from './list-dir.ts'
export type { ToolkitOptions } from './options.ts'
export { readFile } from './read-file.ts'
export { shell } from './shell.ts'
export type { ShellResult } from './shell.ts'
export { writeFile } from './write-file.ts'

/** The tools for work in a folder: `read_file`, `list_dir`, `write_file` and `shell`. They share what the model has seen. */
export function toolkit(options: ToolkitOptions = {}): readonly Tool[] {
  const shared = { ...options, files: options.files ?? fileLog() }
  return [readFile(shared), listDir(shared), writeFile(shared), shell(shared)]
}
