import { showControls } from '../sanitise.ts'
import { counted, fitted } from '../tool-line.ts'
import { UsageError } from '../usage-error.ts'
import type { SlashCommand } from './slash-command.ts'

export const jobs: SlashCommand = {
  name: 'jobs',
  argument: '[end]',
  help: 'what commands have left running; "end" ends it. It ends with Lena at the latest',
  async run({ bench, out, style }, argument) {
    if (argument !== '' && argument !== 'end')
      throw new UsageError(`/jobs does not understand ${JSON.stringify(argument)}. Write /jobs, or /jobs end.`)
    const running = bench.jobs()
    if (running.length === 0) return out.line('Nothing runs in the background.')
    for (const { command, pids } of running) {
      const ids = pids.join(' ')
      const room = Math.max(10, out.width - ids.length - 6)
      out.line(`  ${style.dim(ids)}  ${fitted(showControls(command.replaceAll(/\s+/g, ' ').trim()), room, style.ellipsis)}`)
    }
    if (argument === '') return
    await bench.end()
    const left = bench.jobs().length
    out.line(left === 0 ? 'Ended.' : `${counted(left, 'command')} could not be ended.`)
  },
  completions: () => ['end'],
}
