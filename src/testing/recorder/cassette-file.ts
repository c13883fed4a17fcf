import type fs from 'node:fs'
import { InputError } from '../../errors.ts'
import { formatCassette, parseCassette } from './cassette.ts'
import type { Cassette } from './cassette.ts'

/** What a file holds; `undefined` when there is none. At once: whether there is a recording decides what the recorder is. */
export function readCassetteFile(path: string): Cassette | undefined {
  const { readFileSync } = fileSystem()
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ENOENT') return undefined
    throw error
  }
  return parseCassette(text, path)
}

/** Whole or not at all: a test that is stopped leaves no half recording. */
export function writeCassetteFile(path: string, cassette: Cassette): void {
  const { mkdirSync, renameSync, rmSync, writeFileSync } = fileSystem()
  const unfinished = `${path}.${process.pid}.tmp`
  mkdirSync(process.getBuiltinModule('node:path').dirname(path), { recursive: true })
  try {
    writeFileSync(unfinished, formatCassette(cassette))
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** Not imported: where there are no files the rest of the kit works all the same. */
function fileSystem(): typeof fs {
  const files = (globalThis as { readonly process?: NodeJS.Process }).process?.getBuiltinModule?.('node:fs')
  if (!files)
    throw new InputError('recorder({ file }): there is no file system here. Keep `recorder.cassette` yourself, and give it as `cassette`.')
  return files
}
