import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { imageNamesIn } from '../../src/cli/attach-images.ts'
import type { ModelRequest } from '../../src/index.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { openai } from '../../src/providers/openai/index.ts'
import { sends, streamServer } from '../providers/support/stream-server.ts'
import { lena, world } from './support/world.ts'

// The first run loads all that a task needs.
vi.setConfig({ testTimeout: 60_000 })

/** A whole image of one transparent point. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'lena-images-')))
  writeFileSync(join(made, 'shot.gif'), gif)
  writeFileSync(join(made, 'two words.gif'), gif)
  return made
}

const image = { type: 'image', mediaType: 'image/gif', source: { type: 'base64', data: gif.toString('base64') } }

describe('a text that names images', () => {
  it.each<[string, readonly string[]]>([
    ['what is this? @shot.png', ['shot.png']],
    ['@a.png and @b/c.JPEG, then @a.png.', ['a.png', 'b/c.JPEG']],
    ['(see @x.webp) @"two words.gif" @two\\ words.gif!', ['x.webp', 'two words.gif']],
    ['mail me@home.png, write "@x.png", @src/index.ts @png @.png/', []],
    ['of @~/pictures/a.gif\n@/tmp/b.png', ['~/pictures/a.gif', '/tmp/b.png']],
  ])('%s', (text, names) => {
    expect(imageNamesIn(text)).toEqual(names)
  })

  it('is looked through in one pass, however long it is', () => {
    expect(imageNamesIn(`${'@'.repeat(300_000)} ${'\\ '.repeat(300_000)} @${'!'.repeat(300_000)}a`)).toEqual([])
  })
})

describe('a task that names an image', () => {
  async function sent(words: string, options: { readonly stdin?: string; readonly cwd?: string } = {}) {
    const cwd = options.cwd ?? folder()
    const requests: ModelRequest[] = []
    const model = scriptedModel((request) => (requests.push(request), { text: 'Seen.' }))
    const ran = await lena(['-p', words], { ...options, cwd, model })
    return { ...ran, content: requests.map(({ messages }) => messages.at(-1)!.content) }
  }

  it('sends it with the text', async () => {
    expect(await sent('what is @shot.gif? And @"two words.gif"')).toEqual({
      code: 0,
      stdout: 'Seen.\n',
      stderr: 'With shot.gif: image/gif, 1 x 1 pixels, 42 bytes; two words.gif: image/gif, 1 x 1 pixels, 42 bytes.\n',
      content: [[{ type: 'text', text: 'what is @shot.gif? And @"two words.gif"' }, image, image]],
    })
  })

  it('takes no notice of what was piped in, nor of other files', async () => {
    const { content, stderr } = await sent('look at @notes.txt', { stdin: 'and @shot.gif' })
    expect({ content, stderr }).toEqual({ content: [[{ type: 'text', text: 'look at @notes.txt\n\nand @shot.gif' }]], stderr: '' })
  })

  it.each<[string, string, (folder: string) => string]>([
    [
      'missing',
      '@gone.png',
      (at) => `There is no image "gone.png": ${at}/gone.png does not exist. In quotes, "@gone.png", it is only text.`,
    ],
    ['too large', '@big.png', () => 'The image "big.png" has 3750001 bytes; 3750000 can be sent. Make a smaller copy of it first.'],
    ['a text', '@text.png', () => '"text.png" is no image: its content is not that of a PNG, JPEG, GIF or WebP file.'],
    ['of other bytes', '@bytes.png', () => '"bytes.png" is no image: its content is not that of a PNG, JPEG, GIF or WebP file.'],
    ['cut', '@cut.gif', () => '"cut.gif" begins like an image (image/gif) but is cut or damaged, and is not shown.'],
    [
      'too wide',
      '@wide.gif',
      () => '"wide.gif" is an image of 9000 x 1 pixels; a model takes images of up to 8000 pixels a side. Make a smaller copy of it first.',
    ],
    ['a folder', '@folder.png', () => '"folder.png" is no image, but a folder.'],
    [
      'one of too many',
      Array.from({ length: 11 }, (_, index) => `@${index}.png`).join(' '),
      () => 'A message can have 10 images, this one names 11.',
    ],
  ])('is not begun when it is %s', async (_, words, message) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'big.png'), Buffer.alloc(3_750_001))
    writeFileSync(join(cwd, 'text.png'), 'not an image')
    writeFileSync(join(cwd, 'bytes.png'), Buffer.from([0, 1, 2, 3, 0, 255]))
    writeFileSync(join(cwd, 'cut.gif'), gif.subarray(0, 20))
    const wide = Buffer.from(gif)
    wide.writeUInt16LE(9000, 6)
    writeFileSync(join(cwd, 'wide.gif'), wide)
    mkdirSync(join(cwd, 'folder.png'))
    const { code, stderr, content } = await sent(words, { cwd })
    expect({ code, isSaid: stderr.startsWith(`lena: ${message(cwd)}`), stderr, content }).toEqual({
      code: 2,
      isSaid: true,
      stderr: expect.any(String),
      content: [],
    })
  })
})

describe('a line of a conversation that names an image', () => {
  it('sends it; and where that cannot be the line is not sent, and the conversation goes on', async () => {
    const requests: ModelRequest[] = []
    const model = scriptedModel((request) => (requests.push(request), { text: 'Seen.' }))
    const at = world({ stdin: 'terminal', cwd: folder(), model })
    const running = at.run()
    await at.stdout.shows('> ')
    at.type('@gone.gif?\r')
    await at.stderr.shows('lena: There is no image "gone.gif"')
    await at.stdout.shows('> ', 2)
    at.type('and @shot.gif?\r')
    await at.stdout.shows('Seen.\n')
    await at.stdout.shows('> ', 3)
    at.type('\u0004')
    expect(await running).toBe(0)
    expect(requests.map(({ messages }) => messages.at(-1)!.content)).toEqual([[{ type: 'text', text: 'and @shot.gif?' }, image]])
    expect(at.stderr.text).toContain('\nWith shot.gif: image/gif, 1 x 1 pixels, 42 bytes.\n')
  })
})

describe('over the wire', () => {
  it('a provider gets the image beside the text, in a task and in a conversation, and what was run before it', async () => {
    const server = await streamServer()
    const chunk = { choices: [{ index: 0, delta: { role: 'assistant', content: 'A point.' }, finish_reason: 'stop' }] }
    server.handle = sends(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    const model = openai('seeing', { baseURL: server.baseURL, apiKey: 'none' })
    const cwd = folder()
    const env = { NO_COLOR: '1', LENA_MODEL: 'openai/seeing' }
    expect(await lena(['-p', 'what is @shot.gif'], { cwd, model, env })).toMatchObject({ code: 0, stdout: 'A point.\n' })
    const at = world({ stdin: 'terminal', cwd, model, env })
    const running = at.run()
    await at.stdout.shows('> ')
    at.type('!echo ran\r')
    await at.stdout.shows('ran\n> ')
    at.type('and @shot.gif\r')
    await at.stdout.shows('A point.\n')
    at.type('\u0004')
    expect(await running).toBe(0)
    const url = `data:image/gif;base64,${gif.toString('base64')}`
    const said = server.requests.map(({ body }) => (JSON.parse(body) as { messages: { role: string; content: unknown }[] }).messages.at(-1))
    expect(said).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is @shot.gif' },
          { type: 'image_url', image_url: { url } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: expect.stringContaining('$ echo ran\nexit_code: 0\nran\n') },
          { type: 'text', text: 'and @shot.gif' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ])
  })
})
