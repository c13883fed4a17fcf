import type { PassThrough } from 'node:stream'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../src/testing/index.ts'
import type { ScriptStep } from '../../src/testing/index.ts'
import { lena, world } from './support/world.ts'

/** A model that says what it was asked. */
const echo: ScriptStep = ({ messages }) => ({ text: JSON.stringify(messages.at(-1)!.content) })
const asked = (prompt: string): string => `${JSON.stringify([{ type: 'text', text: prompt }])}\n`
const silence =
  '! Nothing came on stdin, so it is left out. Use < /dev/null to say that there is nothing, or a "-" among the words to wait for it.\n'

describe('what comes on stdin', () => {
  it.each<[string, readonly string[], string | Buffer, string]>([
    ['is the task when there is no other', [], 'list the files\n', 'list the files'],
    ['is added to the task', ['what', 'is this?'], 'a\n b\n\n', 'what is this?\n\na\n b'],
    ['keeps its beginning', [], '  indented\n', '  indented'],
    ['may be empty when there is a task', ['hello'], '', 'hello'],
    ['may be blank when there is a task', ['hello'], ' \n', 'hello'],
    ['stands in for an empty task', [''], 'hello', 'hello'],
    ['loses a byte-order mark', [], '\ufeffhello', 'hello'],
  ])('%s', async (_, argv, stdin, prompt) => {
    expect(await lena(argv, { stdin, model: scriptedModel(echo) })).toEqual({ code: 0, stdout: asked(prompt), stderr: '' })
  })

  it('may come in pieces that cut a character', async () => {
    const [first, second] = [Buffer.from('gr\u00fcn').subarray(0, 3), Buffer.from('gr\u00fcn').subarray(3)]
    expect((await lena([], { stdin: Readable.from([first, second]), model: scriptedModel(echo) })).stdout).toBe(asked('gr\u00fcn'))
  })

  it.each<[string, Readable | Buffer, string]>([
    [
      'bytes that are no UTF-8',
      Buffer.from([0x61, 0xff, 0x62]),
      'What came on stdin is no UTF-8 text. Put it in a file and name the file in the task, or convert it (iconv -t UTF-8).',
    ],
    [
      'NUL bytes',
      Buffer.from('a\0b'),
      'What came on stdin is no UTF-8 text. Put it in a file and name the file in the task, or convert it (iconv -t UTF-8).',
    ],
    [
      'more than 10 MB',
      Buffer.alloc(10 * 1024 * 1024 + 1, 'x'),
      'What came on stdin is larger than 10 MB. Put it in a file and name the file in the task.',
    ],
    [
      'what cannot be read',
      new Readable({
        read() {
          this.destroy(new Error('EISDIR: illegal operation on a directory, read'))
        },
      }),
      'stdin cannot be read: EISDIR: illegal operation on a directory, read. Give text, or < /dev/null for nothing.',
    ],
  ])('is refused: %s', async (_, stdin, message) => {
    expect(await lena(['x'], { stdin, model: scriptedModel(echo) })).toEqual({ code: 2, stdout: '', stderr: `lena: ${message}\n` })
  })
})

describe('a stdin that is open, and nothing comes', () => {
  it('is left out after three seconds when there is a task, and that is said', async () => {
    const at = world({ stdin: 'silent', model: scriptedModel(echo) })
    const running = at.run('hello')
    await at.clock.advance(2999)
    expect(at.stderr.text).toBe('')
    await at.clock.advance(1)
    expect({ code: await running, stdout: at.stdout.text, stderr: at.stderr.text }).toEqual({
      code: 0,
      stdout: asked('hello'),
      stderr: silence,
    })
  })

  it('is read to its end once something came', async () => {
    const at = world({ stdin: 'silent', model: scriptedModel(echo) })
    const running = at.run('hello')
    await at.clock.advance(2000)
    at.type('slow ')
    await at.clock.advance(60_000)
    at.type('text')
    ;(at.io.stdin as PassThrough).end()
    expect({ code: await running, stdout: at.stdout.text, stderr: at.stderr.text }).toEqual({
      code: 0,
      stdout: asked('hello\n\nslow text'),
      stderr: '',
    })
  })

  it.each([
    ['with a dash', ['hello', '-'], 'hello\n\ntext'],
    ['without a task', [], 'text'],
  ])('is waited for %s', async (_, argv, prompt) => {
    const at = world({ stdin: 'silent', model: scriptedModel(echo) })
    const running = at.run(...argv)
    await at.clock.advance(3_600_000)
    ;(at.io.stdin as PassThrough).end('text')
    expect({ code: await running, stdout: at.stdout.text }).toEqual({ code: 0, stdout: asked(prompt) })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is waited for no longer after %s, and nothing is run', async (name, code) => {
    const model = scriptedModel(echo)
    const at = world({ stdin: 'silent', model })
    const running = at.run()
    await at.clock.advance(10)
    at.signal(name)
    expect({
      code: await running,
      stdout: at.stdout.text,
      stderr: at.stderr.text,
      requests: model.requests.length,
      listening: at.io.stdin.listenerCount('data'),
    }).toEqual({ code, stdout: '', stderr: '', requests: 0, listening: 0 })
  })
})
