import { relative } from 'node:path'
import type { Undone } from '../../toolkit/index.ts'
import { realFolder } from '../folders.ts'
import { showControls } from '../sanitise.ts'
import { counted } from '../tool-line.ts'
import { UsageError } from '../usage-error.ts'
import type { SlashCommand, Talk } from './slash-command.ts'

export const undo: SlashCommand = {
  name: 'undo',
  argument: '[skip]',
  help: 'take back the last change of a file by a tool, again: the one before; "skip" leaves that one as it is',
  async run(talk, argument) {
    const { bench, out } = talk
    if (argument !== '' && argument !== 'skip')
      throw new UsageError(`/undo does not understand ${JSON.stringify(argument)}. Write /undo, or /undo skip.`)
    const last = (await bench.undo.changes()).at(-1)
    if (!last) return out.line('There is no change of a file to be taken back. What commands have changed is not known.')
    const shown = nameOf(last.path, talk)
    if (argument === 'skip') {
      await bench.undo.forget(last.id)
      out.line(`${shown} stays as it is. ${await left(talk)}`)
      return
    }
    const done = await taken(talk)
    out.line(`${shown} is ${done.did === 'removed' ? 'gone again' : 'as it was before'}. ${await left(talk)}`)
  },
  completions: () => ['skip'],
}

/** @throws {UsageError} when the file is no longer as the tool left it. */
async function taken({ bench, signal }: Talk): Promise<Undone> {
  const { undoLast } = await import('../../toolkit/index.ts')
  try {
    return (await undoLast(bench.undo, { signal }))!
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'undo_refused') throw error
    // What it says to do is for programs.
    throw new UsageError(`${(error as Error).message.replace(/ To pass over it,.*/s, '')} /undo skip passes over it.`)
  }
}

async function left({ bench }: Talk): Promise<string> {
  const { length } = await bench.undo.changes()
  return length === 0 ? 'There is nothing more to take back.' : `${counted(length, 'earlier change')} can be taken back.`
}

function nameOf(path: string, { workspace }: Talk): string {
  const inside = relative(realFolder(workspace), path)
  return showControls(inside.startsWith('..') ? path : inside)
}
