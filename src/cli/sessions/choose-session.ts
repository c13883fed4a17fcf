import { Session } from '../../index.ts'
import type { CliOptions } from '../args.ts'
import { errorText } from '../error-text.ts'
import type { Io } from '../io.ts'
import type { LineReader } from '../line-reader.ts'
import type { Notes } from '../notes.ts'
import type { Output } from '../output.ts'
import { UsageError } from '../usage-error.ts'
import { agoOf } from './ago.ts'
import { idThatBegins, newSessionId } from './session-ids.ts'
import type { SessionFolder, SessionShown } from './session-folder.ts'
import { newestIn, prepareFolder, sessionFolder, sessionFolders, sessionsIn } from './session-folder.ts'

/** The conversation that a task or a line belongs to. */
export type SessionChosen = {
  readonly session: Session
  /** What it is called; empty for a new one. */
  readonly title: string
}

export type SessionChoice = Pick<CliOptions, 'continue' | 'resume' | 'fork' | 'session'>

/** How a person is asked which session is meant. */
export type Picker = { readonly reader: Pick<LineReader, 'read'>; readonly out: Output }

const signal = (): AbortSignal => new AbortController().signal

/**
 * The session that the options name, or a new one; nothing when none is to be kept, or none can be.
 *
 * @throws {UsageError} when there is no such session.
 */
export async function chooseSession(
  io: Io,
  workspace: string,
  options: SessionChoice,
  { notes, picker }: { readonly notes: Notes; readonly picker?: Picker | undefined },
): Promise<SessionChosen | undefined> {
  if (!options.session) return undefined
  const folder = sessionFolder(io, workspace)
  const wanted = options.continue || options.resume !== undefined
  if (!wanted) return await newSession(io, folder, notes)
  const chosen = await namedSession(io, folder, options, picker)
  const session = sessionIn(folder, chosen.id)
  if (!options.fork) return { session, title: chosen.title }
  return { session: await forkOf(session, await idsIn(folder), io), title: chosen.title }
}

/** A new one. It is written when something is said in it. */
export async function newSession(io: Io, folder: SessionFolder, notes: Notes): Promise<SessionChosen | undefined> {
  try {
    await prepareFolder(io, folder.workspace)
    const id = (io.newSessionId ?? newSessionId)(await idsIn(folder))
    return { session: sessionIn(folder, id), title: '' }
  } catch (error) {
    notes.warn(`This conversation is not kept: ${errorText(error, io.env)}`)
    return undefined
  }
}

export const sessionIn = ({ store }: SessionFolder, id: string): Session => new Session({ id, store })

export async function forkOf(session: Session, taken: ReadonlySet<string>, io: Io): Promise<Session> {
  return await session.fork({ id: (io.newSessionId ?? newSessionId)(taken) })
}

export async function idsIn({ store }: SessionFolder): Promise<ReadonlySet<string>> {
  return new Set((await store.list({ signal: signal() })).map(({ id }) => id))
}

async function namedSession(io: Io, folder: SessionFolder, options: SessionChoice, picker: Picker | undefined): Promise<SessionShown> {
  const nothingYet = (): UsageError =>
    new UsageError(`No session was kept of ${JSON.stringify(folder.workspace)} yet. \`lena sessions --all\` lists those of all folders.`)
  if (options.continue) {
    const newest = await newestIn(folder, signal())
    if (!newest) throw nothingYet()
    return newest
  }
  const sessions = await sessionsIn(folder, signal())
  if (sessions.length === 0 && options.resume === true) throw nothingYet()
  if (options.resume === true) return await picked(io, sessions, picker)
  return await sessionCalled(io, folder, options.resume!, sessions)
}

/** @throws {UsageError} that says where it is, when it belongs to another folder. */
export async function sessionCalled(
  io: Io,
  folder: SessionFolder,
  beginning: string,
  sessions: readonly SessionShown[],
): Promise<SessionShown> {
  const elsewhere = async (): Promise<string> => {
    for (const other of await sessionFolders(io)) {
      if (other.dir === folder.dir || other.workspace === '') continue
      const [id] = [...(await idsIn(other))].filter((each) => each.startsWith(beginning.toLowerCase()))
      if (id !== undefined) return `${id} belongs to ${other.workspace}: lena --cwd ${JSON.stringify(other.workspace)} --resume ${id}`
    }
    return '`lena sessions` lists what there is.'
  }
  const isHere = sessions.some(({ id }) => id.startsWith(beginning.toLowerCase()))
  const id = idThatBegins(
    beginning,
    sessions.map((each) => each.id),
    isHere ? '' : await elsewhere(),
  )
  return sessions.find((each) => each.id === id)!
}

const mostShown = 15

async function picked({ clock }: Io, sessions: readonly SessionShown[], picker: Picker | undefined): Promise<SessionShown> {
  const shown = sessions.slice(0, mostShown)
  if (!picker)
    throw new UsageError(
      `--resume needs the id of a session when nobody can be asked. The last ones: ${shown
        .slice(0, 5)
        .map(({ id, title }) => `${id} (${title})`)
        .join(', ')}.`,
    )
  shown.forEach(({ id, title, updated }, index) =>
    picker.out.line(`${String(index + 1).padStart(3)}  ${id}  ${agoOf(clock.now() - updated).padEnd(14)}  ${title}`),
  )
  for (;;) {
    const said = await picker.reader.read({ prompt: `Which one (1-${shown.length}, or an id)? `, signal: signal(), answer: true })
    if (said.kind !== 'line') throw new UsageError('No session was chosen.')
    const text = said.text.trim().toLowerCase()
    const found = /^\d{1,2}$/.test(text) ? shown[Number(text) - 1] : sessions.find(({ id }) => text !== '' && id.startsWith(text))
    if (found) return found
  }
}
