import { Session, textOf } from '../../index.ts'
import type { Message } from '../../index.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../exit-code.ts'
import { safeJson, withoutControls } from '../sanitise.ts'
import { isNamedBy, resultStore } from '../stored-results.ts'
import { table } from '../table.ts'
import { endOf, titleOf as titleOfCall } from '../tool-line.ts'
import { UsageError } from '../usage-error.ts'
import { agoOf } from './ago.ts'
import { forkOf, idsIn, sessionCalled } from './choose-session.ts'
import type { SessionFolder, SessionShown } from './session-folder.ts'
import { sessionFolder, sessionFolders, sessionsIn } from './session-folder.ts'

const signal = (): AbortSignal => new AbortController().signal

/** `lena sessions [list | show ID | fork ID | remove ID…]` */
export async function sessionsCommand(run: CommandRun): Promise<number> {
  const [verb = 'list', ...ids] = run.words
  if (verb === 'list') return await list(run, ids)
  if (ids.length === 0 || (verb !== 'remove' && ids.length > 1))
    throw new UsageError(
      `\`lena sessions ${verb}\` needs the id of ${verb === 'remove' ? 'at least one session' : 'one session'}. \`lena sessions\` lists them.`,
    )
  const folder = sessionFolder(run.io, run.workspace)
  const sessions = await sessionsIn(folder, signal())
  // All are found before one is touched.
  const found: SessionShown[] = []
  for (const id of ids) found.push(await sessionCalled(run.io, folder, id, sessions))
  if (verb === 'remove') return await remove(run, folder, found)
  return await (verb === 'show' ? show : fork)(run, folder, found[0]!)
}

async function list({ io, out, options, workspace, words }: CommandRun, rest: readonly string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`\`lena sessions list\` takes no arguments, got ${JSON.stringify(words.slice(1).join(' '))}.`)
  const folders = options.all ? await sessionFolders(io) : [sessionFolder(io, workspace)]
  const lists = await Promise.all(folders.map((folder) => sessionsIn(folder, signal())))
  const sessions = lists.flat().sort((a, b) => b.updated - a.updated)
  if (options.output === 'json') out.line(safeJson({ sessions }))
  else if (sessions.length === 0) out.line(`No session was kept${options.all ? '' : ' of this folder'} yet.`)
  else out.write(withoutControls(sessionTable(sessions, io.clock.now(), { withFolder: options.all, width: out.wrapWidth })))
  return exitCodes.done
}

export function sessionTable(
  sessions: readonly SessionShown[],
  now: number,
  { withFolder = false, width }: { readonly withFolder?: boolean | undefined; readonly width?: number | undefined } = {},
): string {
  const rows = sessions.map(({ id, title, updated, workspace }) => [
    id,
    agoOf(now - updated),
    ...(withFolder ? [workspace || '(not known)'] : []),
    title || '(nothing was said)',
  ])
  return table([['ID', 'LAST USED', ...(withFolder ? ['FOLDER'] : []), 'BEGINS WITH'], ...rows], width)
}

async function show({ out, options }: CommandRun, { store }: SessionFolder, { id }: SessionShown): Promise<number> {
  const { messages, warnings } = await new Session({ id, store }).restore()
  if (options.output === 'json') out.line(safeJson({ id, messages, warnings }))
  else
    out.write(
      withoutControls(`${[...messages.map(written), ...warnings.map((text) => `! ${text}`)].filter((text) => text !== '').join('\n\n')}\n`),
    )
  return exitCodes.done
}

/** A message for people: prompts behind `>`, calls and how they ended on a line each. */
function written(message: Message): string {
  if (message.role === 'assistant')
    return message.content
      .flatMap((block) =>
        block.type === 'text' ? [block.text.trim()] : block.type === 'tool_use' ? [`* ${titleOfCall(block.name, block.input)}`] : [],
      )
      .join('\n')
  const results = message.content.flatMap((block) => {
    if (block.type !== 'tool_result') return []
    const { ok, text } = endOf(block)
    return [`  ${ok ? 'ok' : 'x'} ${text}`]
  })
  const said = textOf(message).trim()
  return [
    ...results,
    ...(said === ''
      ? []
      : [
          said
            .split('\n')
            .map((line) => `> ${line}`)
            .join('\n'),
        ]),
  ].join('\n')
}

async function fork({ io, out, options }: CommandRun, folder: SessionFolder, { id }: SessionShown): Promise<number> {
  const copy = await forkOf(new Session({ id, store: folder.store }), await idsIn(folder), io)
  out.line(options.output === 'json' ? safeJson({ id: copy.id, forkOf: id }) : copy.id)
  return exitCodes.done
}

async function remove({ io, out, options }: CommandRun, { store }: SessionFolder, sessions: readonly SessionShown[]): Promise<number> {
  const results = resultStore(io)
  const removed = sessions.map(({ id }) => id)
  const stays = (await store.list({ signal: signal() })).flatMap(({ id }) => (removed.includes(id) ? [] : [new Session({ id, store })]))
  for (const id of removed) {
    const isShared = await isNamedBy(stays, new Session({ id, store })).catch(() => true)
    await store.remove(id, { signal: signal() })
    // Long results of its calls go with it, but for those that a fork reads.
    if (!isShared) await results.remove(id)
  }
  out.line(options.output === 'json' ? safeJson({ removed }) : `Removed ${removed.join(', ')}.`)
  return exitCodes.done
}
