import { Session } from '../../index.ts'
import { withoutControls } from '../sanitise.ts'
import { sessionCalled } from '../sessions/choose-session.ts'
import { sessionFolder, sessionsIn } from '../sessions/session-folder.ts'
import type { SlashCommand } from './slash-command.ts'

export const sessions: SlashCommand = {
  name: 'sessions',
  argument: '[ID]',
  help: 'the conversations of this folder; with an id: go on with that one',
  async run(talk, argument) {
    const { io, out, workspace, session, signal } = talk
    const folder = sessionFolder(io, workspace)
    const kept = await sessionsIn(folder, signal)
    if (argument !== '') {
      const { id, title } = await sessionCalled(io, folder, argument, kept)
      await talk.goOn({ session: new Session({ id, store: folder.store }) })
      out.line(withoutControls(`Session ${id}: ${title}`))
    } else if (kept.length === 0) out.line('No session was kept of this folder yet.')
    else {
      const { sessionTable } = await import('../sessions/command.ts')
      out.write(withoutControls(sessionTable(kept, io.clock.now())))
      out.line(session ? `This one is ${session.id}.` : 'This conversation is not kept.')
    }
  },
}
