import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { AgentEvent } from '../../src/index.ts'
import { checkEvents } from '../../src/testing/index.ts'
import { lena, newFolder, start } from './support/lena.ts'

describe.concurrent('the program, with the offline model', { timeout: 30_000 }, () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'notes.txt'), 'buy oat milk\n')

  it('-p prints the answer alone', async (test) => {
    const { code, stdout, stderr } = await lena(test, ['-p', 'read', 'notes.txt'], { cwd: folder })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Offline model (no key is set, no local server answers): plain requests about files and commands. For more give --model; `lena models` lists what there is.\n',
    })
    expect(stdout).toContain('buy oat milk')
    expect(stdout).not.toContain('* read_file')
  })

  it('shows its calls, and takes the task from stdin', async (test) => {
    const { code, stdout, stderr } = await lena(test, ['--quiet'], { cwd: folder, stdin: 'read notes.txt\n' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\* read_file notes\.txt\n {2}ok .*, \d+ ms\n\n/)
    expect(stdout).toContain('buy oat milk')
  })

  it('--output json gives one object', async (test) => {
    const { code, stdout } = await lena(test, ['--output', 'json', '--cwd', folder, 'read notes.txt'])
    const { type, ok, stopReason, text, model, usage, metrics } = JSON.parse(stdout) as Record<string, unknown>
    expect({ code, type, ok, stopReason, model, usage, tools: Object.keys((metrics as { tools: object }).tools) }).toEqual({
      code: 0,
      type: 'result',
      ok: true,
      stopReason: 'end_turn',
      model: expect.stringContaining('offline'),
      usage: expect.objectContaining({ totalTokens: expect.any(Number) }),
      tools: ['read_file'],
    })
    expect(text).toContain('buy oat milk')
  })

  it('--output stream-json gives the events, and the result last', async (test) => {
    const { code, stdout } = await lena(test, ['--output', 'stream-json', 'read notes.txt'], { cwd: folder })
    const all = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentEvent)
    expect({ code, faults: checkEvents(all.slice(0, -1)), last: all.at(-1)!.type }).toEqual({ code: 0, faults: [], last: 'result' })
  })

  it('--version and --help answer at once', async (test) => {
    expect(await lena(test, ['--version'])).toEqual({ code: 0, signal: null, stdout: `${packageJson.version}\n`, stderr: '' })
    expect((await lena(test, ['--help'])).stdout).toMatch(/^Lena, an agent for the terminal\.\n/)
  })

  it('says what is wrong with the command line', async (test) => {
    expect(await lena(test, ['--modle', 'x'])).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'lena: There is no option --modle. Did you mean --model? If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.\n',
    })
  })

  it('says which key is missing', async (test) => {
    const { code, stdout, stderr } = await lena(test, ['--model', 'openai/some-model', 'hello'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^lena: .*OPENAI_API_KEY.*\n$/)
  })
})

describe.concurrent('the program, with a scripted model', { timeout: 30_000 }, () => {
  it('hands all of a long answer to a slow reader', async (test) => {
    const { child, ended } = start(test, ['-p', 'x'], { script: 'long' })
    child.stdin.end()
    child.stdout.pause()
    setTimeout(() => child.stdout.resume(), 500)
    const { code, stdout } = await ended
    expect({ code, length: stdout.length, end: stdout.slice(-10) }).toEqual({ code: 0, length: 500_004, end: 'word end\n'.padStart(10) })
  })

  it('refuses what nobody allowed', async (test) => {
    const { code, stdout } = await lena(test, ['x'], { script: 'shell' })
    expect(code).toBe(0)
    expect(stdout).toContain(
      'The tool said: The call of shell was refused: it needs the permission of a person, and there is nobody to ask.',
    )
  })

  it('tells a fault of its own in two lines', async (test) => {
    expect(await lena(test, ['x'], { script: 'crashes' })).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'lena: out of nowhere\nThis is a fault in Lena. LENA_DEBUG=1 shows where it is.\n',
    })
  })
})
