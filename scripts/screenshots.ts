/**
 * Makes the pictures of docs/screenshots: runs the terminal agent in a pseudo-terminal with a model that follows a script and a clock
 * that stands still, and draws what is on the screen. The same sources give the same pictures.
 *
 *   npx tsx scripts/screenshots.ts           writes docs/screenshots/*.svg
 *   npx tsx scripts/screenshots.ts --check   ends with 1 when one of them would change
 *
 * Needs `script` of util-linux.
 */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onScreen } from '../test/terminal/support/screen.ts'
import { svgOf } from './screenshots/svg.ts'

const folder = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const isCheck = process.argv.includes('--check')

type Scene = {
  readonly name: string
  readonly title: string
  readonly argv: readonly string[]
  readonly script: string
  readonly columns?: number
  readonly rows?: number
  readonly env?: Record<string, string>
  /** Does what a person does, up to the moment of the picture. */
  play(at: ReturnType<typeof onScreen>): Promise<void>
}

const prompt = /^>$/
const enter = '\r'

const scenes: readonly Scene[] = [
  {
    name: 'conversation',
    title: 'A conversation: an answer in markdown',
    argv: [],
    script: 'tour',
    rows: 34,
    async play({ sees, type }) {
      await sees(prompt)
      type(`what is in this project?${enter}`)
      await sees(/cost not known/)
      await sees(prompt)
    },
  },
  {
    name: 'approval',
    title: 'What an edit would change, before it is made',
    argv: ['greet in French'],
    script: 'edits',
    rows: 16,
    async play({ sees }) {
      await sees(/\[n\]o:/)
    },
  },
  {
    name: 'refusal',
    title: 'A refusal with a reason',
    argv: ['greet in French'],
    script: 'edits',
    rows: 21,
    async play({ sees, type, ended }) {
      await sees(/\[n\]o:/)
      type(`n${enter}`)
      await sees(/Why not/)
      type(`say Salut${enter}`)
      await ended
    },
  },
  {
    name: 'running',
    title: 'A command that runs, and what it said last',
    argv: ['run the tests'],
    script: 'waits',
    rows: 11,
    async play({ sees, type }) {
      await sees(/\[n\]o:/)
      type(`y${enter}`)
      await sees(/^ {4}begun/)
    },
  },
  {
    name: 'long-output',
    title: 'Ten thousand lines of output',
    argv: ['count to ten thousand'],
    script: 'floods',
    rows: 14,
    async play({ ended }) {
      await ended
    },
  },
  {
    name: 'completion',
    title: 'Completion of commands with Tab',
    argv: [],
    script: 'tour',
    rows: 8,
    async play({ sees, type }) {
      await sees(prompt)
      type('/\t')
      await sees(/\/exit/)
    },
  },
  {
    name: 'narrow',
    title: 'The same answer in a window of 32 columns',
    argv: ['what is in this project?'],
    script: 'tour',
    columns: 32,
    rows: 44,
    async play({ ended }) {
      await ended
    },
  },
]

async function picture(scene: Scene): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'lena-')))
  const undo: (() => unknown)[] = []
  try {
    const cwd = join(home, 'project')
    await mkdir(cwd)
    await writeFile(join(cwd, 'greet.ts'), "const a = 1\nexport const greet = () => 'Hello'\n")
    const { columns = 80, rows = 24, argv, script } = scene
    const env = { HOME: home, LENA_STATE_DIR: join(home, 'state'), LENA_TEST_CLOCK: 'still', TZ: 'UTC', ...scene.env }
    const at = onScreen({ onTestFinished: (fn) => void undo.push(fn as () => unknown) }, argv, { script, cwd, columns, rows, env })
    await scene.play(at)
    return svgOf(at.terminal, scene.title, (text) => text.replaceAll(cwd, '/home/me/project'))
  } finally {
    for (const each of undo) await each()
    await rm(home, { recursive: true, force: true })
  }
}

await mkdir(folder, { recursive: true })
for (const scene of scenes) {
  const svg = await picture(scene)
  const path = join(folder, `${scene.name}.svg`)
  const old = await readFile(path, 'utf8').catch(() => '')
  if (old === svg) continue
  console.log(`${scene.name}.svg ${isCheck ? 'would change' : 'written'}`)
  if (isCheck) process.exitCode = 1
  else await writeFile(path, svg)
}
process.exit()
