import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasTerminal, newFolder, start } from './support/lena.ts'

const ctrlC = '\u0003'
const ctrlD = '\u0004'

describe.skipIf(!hasTerminal).concurrent('in a terminal', { timeout: 30_000 }, () => {
  it('runs what was allowed, and leaves the terminal as it was', async (test) => {
    const cwd = newFolder()
    const { child, shows, ended } = start(test, ['say hello'], {
      script: 'shell',
      cwd,
      terminal: true,
      around: 'stty -g > before; $LENA; code=$?; stty -g > after; exit $code',
    })
    await shows('[n]o: ')
    child.stdin.write('y\r')
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).toContain('    echo hello > said.txt; cat said.txt\n')
    expect(stdout).toContain('The tool said: exit_code: 0\nhello')
    expect(readFileSync(join(cwd, 'after'), 'utf8')).toBe(readFileSync(join(cwd, 'before'), 'utf8'))
  })

  it('does not run what was refused, and tells the model why', async (test) => {
    const cwd = newFolder()
    const { child, shows, ended } = start(test, ['say hello'], { script: 'shell', cwd, terminal: true })
    await shows('[n]o: ')
    child.stdin.write('n\r')
    await shows('Why not?')
    child.stdin.write('say it in French\r')
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).toContain('The tool said: The user did not allow this call of shell. They said: say it in French')
    expect(existsSync(join(cwd, 'said.txt'))).toBe(false)
  })

  it('Ctrl-C at the question cancels, and leaves the terminal as it was', async (test) => {
    const cwd = newFolder()
    const { child, shows, ended } = start(test, ['say hello'], {
      script: 'shell',
      cwd,
      terminal: true,
      around: 'stty -g > before; $LENA; code=$?; stty -g > after; exit $code',
    })
    await shows('[n]o: ')
    child.stdin.write(ctrlC)
    const { code, stdout } = await ended
    expect(code).toBe(130)
    expect(stdout).toContain('Cancelled.\n')
    expect(existsSync(join(cwd, 'said.txt'))).toBe(false)
    expect(readFileSync(join(cwd, 'after'), 'utf8')).toBe(readFileSync(join(cwd, 'before'), 'utf8'))
  })

  it('talks: a turn is cancelled with Ctrl-C, the next goes on, Ctrl-D leaves', async (test) => {
    const { child, shows, ended } = start(test, [], { script: 'hangs', terminal: true })
    await shows('> ')
    child.stdin.write('one\r')
    await shows('so ')
    child.stdin.write(ctrlC)
    await shows('Cancelled.')
    await shows('> ', 2)
    child.stdin.write('two\r')
    await shows('Going on.')
    await shows('> ', 3)
    child.stdin.write(ctrlD)
    expect((await ended).code).toBe(0)
  })

  it('SIGTERM ends what a tool has started, too', async (test) => {
    const cwd = newFolder()
    const { child, shows, ended } = start(test, ['sleep'], { script: 'sleeps', cwd, terminal: true })
    await shows('[n]o: ')
    // "asleep" is in the command as well, so the pids are waited for by the answer to it.
    child.stdin.write('y\r')
    const [agent, sleeper] = await pidsIn(join(cwd, 'pids'))
    expect(isAlive(sleeper)).toBe(true)
    process.kill(agent, 'SIGTERM')
    expect((await ended).code).toBe(143)
    expect(isAlive(sleeper)).toBe(false)
  })
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function pidsIn(file: string): Promise<readonly [number, number]> {
  for (;;) {
    const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : []
    if (pids.length === 2) return pids as unknown as readonly [number, number]
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
