import type { AddTest, Machine } from './machine.ts'
import { isTrue, same } from './machine.ts'
import { areGone, areThere } from './ending.ts'

const endAll = (at: Machine, pids: readonly string[]): Promise<string> => at.sh(`kill -KILL ${pids.join(' ')} 2>/dev/null; :`)

/** What a command leaves running. */
export function testBackground(test: AddTest): void {
  test('what is left in the background and holds the output goes on, and does not hold the call', async (at) => {
    const { end, output } = await at.run('(while :; do echo tick; sleep 0.05; done) & echo started $!', { timeoutMs: 20_000 })
    const pid = /started (\d+)/.exec(output)?.[1]
    isTrue(pid !== undefined, `the command did not say what it has started: ${output}`)
    try {
      same([end.why, end.exitCode, end.isHeld], ['exited', 0, true], 'the end of the command')
      // Writes ten times more, at least: a pipe that was closed would end it.
      await at.sh('sleep 0.5')
      await areThere(at, [pid!], 'what goes on in the background, and writes')
      await isKnown(at, end.left, pid!)
    } finally {
      await endAll(at, [pid!])
    }
  })

  test('what is left in the background and holds nothing goes on', async (at) => {
    const { end, output } = await at.run('sleep 1000 >/dev/null 2>&1 & echo $!')
    const pid = output.trim()
    try {
      same([end.why, end.exitCode, end.isHeld, output], ['exited', 0, false, `${pid}\n`], 'the end of the command')
      await areThere(at, [pid], 'what goes on in the background')
      await isKnown(at, end.left, pid)
    } finally {
      await endAll(at, [pid])
    }
  })

  test('a command that leaves nothing says so', async (at) => {
    const { end } = await at.run('sleep 0.01 & wait; (echo x)')
    same([end.isHeld, end.left], [false, []], 'what is left')
  })

  test('the jobs are listed, oldest first, and ended, those that do not want to included', async (at) => {
    const { jobs } = at.host
    if (!jobs) return
    const first = 'sleep 1000 >/dev/null 2>&1 & echo $!'
    const second = `bash -c 'trap "" TERM; echo ready >ready; while :; do sleep 0.1; done' >/dev/null 2>&1 & echo $!; until [ -s ready ]; do sleep 0.02; done`
    const pids = [(await at.run(first)).output.trim(), (await at.run(second)).output.trim()]
    try {
      const listed = jobs.list().filter(({ command }) => command === first || command === second)
      same(
        listed.map(({ command }) => command),
        [first, second],
        'the commands of the jobs',
      )
      for (const [i, { pids: told }] of listed.entries()) await isKnown(at, told, pids[i]!)
      await jobs.end()
      await areGone(at, pids, 'the jobs that were ended')
      same(jobs.list(), [], 'the jobs when all have ended')
      // There is nobody: no failure.
      await jobs.end()
    } finally {
      await endAll(at, pids)
    }
  })
}

/** Where it is told what is left, it is really there: by its number, or by that of its group. */
async function isKnown(at: Machine, left: readonly number[], pid: string): Promise<void> {
  if (left.length === 0) return
  const group = (await at.sh(`ps -o pgid= -p ${pid} 2>/dev/null || { read -r s </proc/${pid}/stat; set -- \${s##*) }; echo $3; }`)).trim()
  isTrue(
    left.includes(Number(pid)) || left.map(Math.abs).includes(Number(group)),
    `it is told that ${left.join(', ')} is left, and it is ${pid} in the group ${group}`,
  )
}
