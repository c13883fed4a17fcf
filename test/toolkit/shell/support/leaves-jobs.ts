import { toolkit } from '../../../../src/toolkit/index.ts'

/** Leaves two jobs in the background, says their numbers, and ends in the way that it is told. */
const [workspace = '', way = ''] = process.argv.slice(2)
const shell = toolkit({ workspace }).find(({ name }) => name === 'shell')!
const context = { signal: new AbortController().signal, progress: async () => {} }
await shell.run(
  { command: 'sleep 1000 >/dev/null 2>&1 & echo $! >> pids; setsid sh -c "echo \\$\\$ >> pids; exec sleep 1000" >/dev/null 2>&1 &' },
  context as never,
)
await shell.run({ command: 'while [ $(wc -l < pids) -lt 2 ]; do sleep 0.01; done' }, context as never)
process.stdout.write('ready\n')
if (way === 'throw')
  setTimeout(() => {
    throw new Error('as told')
  }, 0)
else if (way === 'exit') process.exit(3)
else if (way.startsWith('SIG')) {
  // One that still runs, and whose call nobody ends.
  const progress = async () => void process.kill(process.pid, way)
  await shell.run({ command: 'echo $$ >> pids; echo runs; sleep 1000' }, { ...context, progress } as never)
}
