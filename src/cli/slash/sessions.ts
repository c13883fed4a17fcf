import { withoutControls } from '../sanitise.ts'
import type { SlashCommand } from './slash-command.ts'

export const sessions: SlashCommand = {
  name: 'sessions',
  argument: '[ID]',
  help: 'the conversations of this folder; with an id: go on with that one',
  async run(talk, argument) {
    const { io, out, workspace, session, signal } = talk
    const { sessionFolder, sessionsIn } = await import('../sessions/session-folder.ts')
    const folder = sessionFolder(io, workspace)
    const kept = await sessionsIn(folder, signal)
    if (argument !== '') {
      const { sessionCalled, sessionIn } = await import('../sessions/choose-session.ts')
      const { id, title } = await sessionCalled(io, folder, argument, kept)
      await talk.goOn({ session: sessionIn(folder, id) })
      out.line(withoutControls(`Session ${id}: ${title}`))
    } else if (kept.length === 0) out.line('No session was kept of this folder yet.')
    else {
      const { sessionTable } = await import('../sessions/command.ts')
      out.write(withoutControls(sessionTable(kept, io.clock.now(), { width: out.wrapWidth })))
      out.line(session ? `This one is ${session.id}.` : 'This conversation is not kept.')
    }
  },
}
