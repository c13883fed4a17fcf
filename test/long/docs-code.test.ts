import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { entriesOf } from '../../scripts/entries.mjs'

const pages = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]

/** What pages use without saying where it is from: theirs is the reader's own. */
const own = `
  const model: import('lena-agent').Model
  const tools: import('lena-agent').Tool[]
  const agent: import('lena-agent').Agent
  const another: import('lena-agent').Agent
  const session: import('lena-agent').Session
  const checkpoint: import('lena-agent').Checkpoint
  const weather: import('lena-agent').Tool
  const search: import('lena-agent').Tool
  const price: import('lena-agent').Tool
  const publish: import('lena-agent').Tool
  const inputSchema: import('lena-agent').JsonSchema
  const execute: (input: unknown) => string
  const host: import('lena-agent/toolkit').Host
  const steps: import('lena-agent').StepRunner
  const client: import('lena-agent/mcp').McpClient
  const store: any
  const workspace: string
  const token: string
  const prompt: string
  const items: string[]
  const rows: unknown[]
  const test: (name: string, fn: () => Promise<void>) => void
  const expect: any
  const z: typeof import('zod').z
  const save: (value: string) => Promise<string>
  const load: () => Promise<string>
  const confirm: (question: string) => Promise<boolean>
  const digest: (text: string) => string
  const hidden: (text: string) => string
  const redacted: <T>(content: T) => T
  const isOurs: (path: string) => boolean
  const isNight: () => boolean
  const agentFor: (request: Request) => import('lena-agent').Agent
  const fetchUser: (id: string) => Promise<import('lena-agent').JsonValue>
  const id: string
  const controller: AbortController
  const serverThatSays: (...of: readonly unknown[]) => Promise<any>
  const acme: (id: string, options: object) => import('lena-agent').Model
`
const types = ['ToolContext', 'WorkerRun', 'AgentEvent', 'JsonValue']
/** Blocks that leave something out, or stand in a file of the reader's. */
const isPart = (code: string): boolean => /…(?![^'"`\n]*['"`])/.test(code.replaceAll(/\/\/.*$/gm, '')) || code.includes("from './")

const folder = mkdtempSync(join(tmpdir(), 'lena-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('what the pages show compiles, in strict mode, as it stands there', async () => {
  mkdirSync(join(folder, 'blocks'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  let count = 0
  for (const page of pages) {
    const text = readFileSync(page, 'utf8')
    for (const { 1: code, index } of text.matchAll(/^```ts\n([^]*?)^```$/gm)) {
      if (isPart(code!)) continue
      const line = text.slice(0, index).split('\n').length
      writeFileSync(join(folder, 'blocks', `${page.replaceAll(/\W+/g, '-')}-${line}.ts`), `${code}\nexport {}\n`)
      count++
    }
  }
  const names = new Set<string>()
  const globals: string[] = []
  for (const { subpath, source } of entriesOf(manifest)) {
    if (subpath === undefined) continue
    for (const name of Object.keys((await import(/* @vite-ignore */ resolve(source))) as object)) {
      if (names.has(name)) continue
      names.add(name)
      globals.push(`  const ${name}: typeof import('lena-agent${subpath.slice(1)}').${name}`)
    }
  }
  const known = types.map(
    (name) => `  type ${name}${name === 'WorkerRun' ? '<T>' : ''} = import('lena-agent').${name}${name === 'WorkerRun' ? '<T>' : ''}`,
  )
  writeFileSync(join(folder, 'globals.d.ts'), `declare global {\n${[...globals, ...known].join('\n')}${own}}\nexport {}\n`)
  const compilerOptions = {
    paths: Object.fromEntries(
      entriesOf(manifest).flatMap(({ subpath, source }) =>
        subpath === undefined ? [] : [[`lena-agent${subpath.slice(1)}`, [resolve(source)]]],
      ),
    ),
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
    noUnusedParameters: false,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, include: ['globals.d.ts', 'blocks'] }),
  )
  const said = await promisify(execFile)('node', ['node_modules/typescript/bin/tsc', '-p', folder], { timeout: 170_000 }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  )
  expect(said.split('\n').filter((line) => line.includes('blocks/'))).toEqual([])
  expect(said).toBe('')
  // Most of them are whole.
  expect(count).toBeGreaterThan(35)
}, 180_000)
