import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseCommand } from '../../../../src/cli/args.ts'
import type { CliOptions } from '../../../../src/cli/args.ts'
import { mcpCommand } from '../../../../src/cli/mcp/command.ts'
import { Output } from '../../../../src/cli/output.ts'
import { world } from '../../support/world.ts'
import type { Ran, World } from '../../support/world.ts'

/** A user with a folder for settings, and a folder to work in. */
export type McpWorld = {
  readonly workspace: string
  readonly userFile: string
  readonly projectFile: string
  /** `lena mcp …`; what it throws is thrown. */
  mcp(...words: string[]): Promise<Ran>
  /** The same with a person at the terminal. */
  atTerminal(...words: string[]): { readonly world: World; readonly ended: Promise<Ran> }
  io(options?: { readonly stdin?: 'terminal' }): World
}

export async function mcpWorld({ env = {} }: { readonly env?: Record<string, string> } = {}): Promise<McpWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'lena-mcp-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const workspace = join(root, 'work')
  await mkdir(workspace)
  const all = { NO_COLOR: '1', PATH: process.env['PATH']!, LENA_CONFIG_DIR: join(root, 'config'), ...env }
  const io = ({ stdin }: { readonly stdin?: 'terminal' } = {}): World => world({ env: all, cwd: workspace, stdin })
  const run = async (at: World, words: readonly string[]): Promise<Ran> => {
    const [out, err] = [new Output(at.io.stdout), new Output(at.io.stderr)]
    try {
      const code = await mcpCommand({ io: at.io, out, err, words, options: noOptions, workspace })
      return { code, stdout: at.stdout.text, stderr: at.stderr.text }
    } finally {
      out.dispose()
      err.dispose()
    }
  }
  return {
    workspace,
    userFile: join(root, 'config', 'mcp.json'),
    projectFile: join(workspace, '.mcp.json'),
    mcp: (...words) => run(io(), words),
    atTerminal: (...words) => {
      const at = io({ stdin: 'terminal' })
      return { world: at, ended: run(at, words) }
    },
    io,
  }
}

/** As they are when nothing was given. */
const noOptions: CliOptions = (parseCommand(['a task']) as { readonly options: CliOptions }).options

export async function write(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
}

export const jsonIn = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))
