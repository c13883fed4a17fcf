import { describe, expect, it } from 'vitest'
import { start } from './support/lena.ts'

describe.concurrent('the process', { timeout: 30_000 }, () => {
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
