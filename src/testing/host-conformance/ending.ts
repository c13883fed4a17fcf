import type { AddTest, Machine, Ran } from './machine.ts'
import { isTrue, same } from './machine.ts'

/** Ends with 0 once none of these processes runs any more; a dead one that nobody has waited for runs no more. */
const waitUntilGone = (pids: readonly string[], rounds = 100): string => `
runs() {
  kill -0 "$1" 2>/dev/null || return 1
  if { read -r stat <"/proc/$1/stat"; } 2>/dev/null; then [[ $stat != *') Z '* ]]; fi
}
for ((i = 0; i < ${rounds}; i++)); do
  left=
  for pid in ${pids.join(' ')}; do runs "$pid" && left="$left $pid"; done
  [ -z "$left" ] && exit 0
  sleep 0.05
done
echo $left; exit 1`

export async function areGone(at: Machine, pids: readonly string[], what: string): Promise<void> {
  const { end, output } = await at.run(waitUntilGone(pids))
  isTrue(end.exitCode === 0, `${what}: of the processes ${pids.join(', ')} there runs still ${output.trim()}`)
}

export async function areThere(at: Machine, pids: readonly string[], what: string): Promise<void> {
  for (const pid of pids) isTrue((await at.run(waitUntilGone([pid], 1))).end.exitCode === 1, `${what}: the process ${pid} runs no more`)
}

/** Says its own number and those of what it starts: one beside it, one in a subshell, one below a shell of its own. */
const family = `sleep 1000 & a=$!; (sleep 1001; :) & b=$!; bash -c 'sleep 1002; :' & c=$!; echo " $$ $a $b $c";`
const pidsIn = (output: string): readonly string[] => /^said((?: \d+){4})$/m.exec(output)?.[1]?.trim().split(' ') ?? []

/** Cancels a command as soon as it has said a word. */
async function cancelled(at: Machine, command: string, word = '\n'): Promise<Ran> {
  const controller = new AbortController()
  let said = ''
  return await at.run(command, {
    signal: controller.signal,
    onOutput(text) {
      said += text
      if (said.includes(word)) controller.abort(new Error('enough'))
    },
  })
}

/** Has it end by its time limit, and not before it has said a word. */
async function timedOut(at: Machine, command: string): Promise<Ran> {
  for (let timeoutMs = 1000; ; timeoutMs *= 4) {
    const ran = await at.run(command, { timeoutMs })
    if (ran.output.includes('\n') || timeoutMs > 30_000) return ran
  }
}

/** `run` of commands that do not end by themselves. */
export function testEnding(test: AddTest): void {
  for (const [why, end, way] of [
    ['timeout', timedOut, 'a time limit'],
    ['cancelled', cancelled, 'the signal'],
  ] as const) {
    test(`${way} ends a command with all that it has started, and keeps what it has said`, async (at) => {
      const ran = await end(at, `printf said; ${family} wait`)
      same(ran.end.why, why, 'why it ended')
      isTrue(ran.output.startsWith('said'), `what it had said is lost, and this is there: ${ran.output}`)
      const pids = pidsIn(ran.output)
      same(pids.length, 4, 'processes that it told of')
      await areGone(at, pids, `what ${way} has ended`)
      same([ran.end.isHeld, ran.end.left], [false, []], 'what is left of it')
    })

    test(`${way} ends a command that will not end`, async (at) => {
      const ran = await end(at, `trap '' TERM INT HUP; echo $$; while :; do sleep 0.1; done`)
      same([ran.end.why, ran.end.exitCode], [why, 137], 'its end')
      await areGone(at, [ran.output.trim().split('\n')[0]!], `a command that ignores SIGTERM, behind ${way}`)
    })
  }

  test('a command that is to end may put things in order first', async (at) => {
    const ran = await cancelled(at, `trap 'echo in order; exit 5' TERM; echo ready; sleep 1000 & wait`)
    same([ran.end.why, ran.end.exitCode, ran.output], ['cancelled', 5, 'ready\nin order\n'], 'its end, and what it said')
  })

  test('a signal that has fired before lets no command go on', async (at) => {
    const ran = await at
      .run('sleep 1000; echo went on >went-on', { signal: AbortSignal.abort(new Error('never mind')) })
      .catch((error: unknown) => ({ end: { why: 'cancelled' }, output: '', error }))
    same([ran.end.why, ran.output], ['cancelled', ''], 'its end')
    same(await at.entries(at.folder), [], 'what it has done')
  })

  test('a time limit that is not reached changes nothing', async (at) => {
    const controller = new AbortController()
    const ran = await at.run('echo x', { signal: controller.signal, timeoutMs: 20_000 })
    controller.abort(new Error('too late'))
    same([ran.end.why, ran.end.exitCode, ran.output], ['exited', 0, 'x\n'], 'its end')
  })

  test('a signal that ends the shell is told by its name and as 128 and its number', async (at) => {
    for (const [name, code] of Object.entries({ KILL: 137, TERM: 143, HUP: 129, INT: 130 })) {
      const { end } = await at.run(`kill -${name} $$; sleep 10`)
      same([end.why, end.exitCode, end.killedBy], ['exited', code, `SIG${name}`], `the end of a shell by SIG${name}`)
    }
    const { end } = await at.run(`sh -c 'kill -KILL $$'; exit $?`)
    same([end.why, end.exitCode, end.killedBy], ['exited', 137, undefined], 'the end of a shell that ends with 137 because of another')
    same((await at.run('echo x; exit 143')).end.killedBy, undefined, 'the signal of a shell that ended with 143 by itself')
  })
}
