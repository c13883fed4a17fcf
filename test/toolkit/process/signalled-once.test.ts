import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { markName } from '../../../src/toolkit/process/marked.ts'
import { jobList } from '../../../src/toolkit/process/jobs.ts'
import { testClock } from '../../support/clock.ts'

const script = "trap 'echo term' TERM; trap 'over=1' USR1; echo ready; while [ -z \"$over\" ]; do sleep 0.05; done; echo over"

/** A program with a mark, in a group of its own. */
async function marked(mark: string) {
  const child = spawn('bash', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, [markName]: mark },
  })
  let said = ''
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  const closed = once(child, 'close')
  while (!said.includes('ready')) await once(child.stdout, 'data')
  return {
    pid: child.pid!,
    async end() {
      process.kill(child.pid!, 'SIGUSR1')
      await closed
      return said
    },
  }
}

it.runIf(process.platform === 'linux')('only what left the group of a call is told beside it: nobody hears of the end twice', async () => {
  const started = jobList(testClock()).start('make')
  const [inside, outside] = await Promise.all([marked(started.mark), marked(started.mark)])
  started.runsIn(inside.pid)
  started.signal('SIGTERM')
  expect([await inside.end(), await outside.end()]).toEqual(['ready\nover\n', 'ready\nterm\nover\n'])
})
