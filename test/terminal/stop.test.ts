import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { hasTerminal, newFolder, start } from './support/lena.ts'

describe.concurrent('the process', { timeout: 60_000 }, () => {
  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a run with %i', async ([name, code], test) => {
    const { child, shows, ended } = start(test, ['x'], { script: 'hangs' })
    child.stdin.end()
    await shows('so ')
    child.kill(name)
    expect(await ended).toEqual({
      code,
      signal: null,
      stdout: 'So far so \n[the text above is not complete: cancelled]\n',
      stderr: 'Cancelled.\n',
    })
  })

  it('is left at the second SIGINT though the model does not listen', async (test) => {
    const { child, shows, ended } = start(test, ['x'], { script: 'deaf' })
    child.stdin.end()
    await shows('so ')
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
  })

  it.skipIf(!hasTerminal)('whose terminal is closed ends as one that was hung up, and leaves no dump of its memory', async (test) => {
    const cwd = newFolder()
    // The shell outlives the terminal, to say how it ended.
    const around = 'trap "" HUP; $LENA 2> said; echo $? > code.new; mv code.new code'
    const { child, shows } = start(test, [], { script: 'hangs', terminal: true, cwd, around })
    await shows('> ')
    child.stdin.write('one\r')
    await shows('so ')
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(existsSync(join(cwd, 'code'))).toBe(true), { timeout: 50_000, interval: 50 })
    expect({ code: readFileSync(join(cwd, 'code'), 'utf8'), aborted: /Assertion/.test(readFileSync(join(cwd, 'said'), 'utf8')) }).toEqual({
      code: '129\n',
      aborted: false,
    })
  })

  it('says that the folder it was started in is gone', async (test) => {
    const around = 'mkdir gone; cd gone; rmdir ../gone; exec $LENA'
    const { child, ended } = start(test, ['x'], { script: 'echoes', terminal: true, around })
    child.stdin.end()
    expect(await ended).toMatchObject({ code: 2, stdout: 'lena: The folder that Lena was started in is gone. Go to another one.\n' })
  })

  it('ends quietly when nobody reads its output any more', async (test) => {
    const { child, shows, ended } = start(test, ['-q', 'x'], { script: 'endless' })
    child.stdin.end()
    await shows('again')
    child.stdout.destroy()
    const { code, signal, stderr } = await ended
    expect({ code, signal, stderr }).toEqual({ code: 141, signal: null, stderr: '' })
  })

  it('ends quietly in front of a program that reads one line', async (test) => {
    const { child, ended } = start(test, ['-q', 'x'], {
      script: 'endless',
      terminal: true,
      around: `bash -c '"$@" < /dev/null | head -n 1; echo "codes \${PIPESTATUS[*]}"' bash $LENA`,
    })
    child.stdin.end()
    expect(await ended).toMatchObject({ stdout: 'again and again\ncodes 141 0\n' })
  })
})
