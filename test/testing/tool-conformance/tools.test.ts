// Tools of every kind pass the suite that is given to those who write one.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, jsonSchema, tool, toolsOf } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import { scriptedModel, toolConformance } from 'lena-agent/testing'
import { editFile, fileLog, glob, grep, listDir, readFile, shell, todo, writeFile } from 'lena-agent/toolkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { onAbort, reasonOf } from '../../../src/util/abort.ts'
import { programOf } from '../../support/program.ts'
import { look } from '../../support/tools.ts'

const run = {
  test: (name: string, fn: () => Promise<void>) => void it(name, async () => await expect(fn()).resolves.toBe(undefined), 60_000),
}

describe('a tool of a function', () => {
  const rows = new Map<string, number>()
  beforeEach(() => rows.clear())
  const make = () =>
    tool({
      name: 'count',
      description: 'Counts something up.',
      inputSchema: z.object({ name: z.string(), ms: z.number().optional() }),
      isConcurrencySafe: ({ name }) => name,
      execute: async ({ name, ms = 0 }, { idempotencyKey, signal, progress }) => {
        await progress({ counting: name })
        if (ms > 0) await new Promise((_, reject) => void onAbort(signal, () => reject(reasonOf(signal))))
        rows.set(idempotencyKey, 1)
        return { count: rows.size }
      },
    })
  toolConformance(run, make, {
    input: { name: 'a' },
    invalid: { name: 1 },
    slow: { name: 'a', ms: 60_000 },
    progress: { name: 'a' },
    once: { name: 'a' },
    effects: () => rows.size,
  })
})

describe('a tool of a generator, with plain JSON Schema', () => {
  const make = () =>
    tool({
      name: 'walk',
      description: 'Walks.',
      inputSchema: jsonSchema<{ steps: number }>({ type: 'object', properties: { steps: { type: 'number' } }, required: ['steps'] }),
      isReadOnly: true,
      isConcurrencySafe: true,
      execute: async function* ({ steps }, { signal }) {
        for (let i = 0; i < steps; i++) yield { step: i }
        if (steps > 2) await new Promise((_, reject) => void onAbort(signal, () => reject(reasonOf(signal))))
        return 'there'
      },
    })
  toolConformance(run, make, { input: { steps: 2 }, slow: { steps: 3 }, progress: { steps: 1 }, effects: () => 0 })
})

describe('a tool that works on another machine, and asks there for its flags and what it touches', () => {
  const make = () =>
    tool({
      name: 'far_read',
      description: 'Reads there.',
      inputSchema: z.object({ path: z.string() }),
      isReadOnly: async ({ path }) => await there(path),
      isDestructive: async ({ path }) => !(await there(path)),
      isConcurrencySafe: async ({ path }) => ((await there(path)) ? true : path),
      needsApproval: async ({ path }) => !(await there(path)),
      access: async ({ path }) => ((await there(path)) ? { paths: [{ path }] } : { isOpaque: true }),
      execute: ({ path }) => `the text of ${path}`,
    })
  const there = async (path: string): Promise<boolean> => (await new Promise((resolve) => setImmediate(resolve)), path === 'a.txt')
  toolConformance(run, make, { input: { path: 'a.txt' }, invalid: { path: 1 }, effects: () => 0 })
})

describe('a tool of a method', () => {
  class Notes {
    readonly #notes: string[] = []
    @tool.method({ description: 'Keeps a note.', inputSchema: z.object({ text: z.string() }) })
    keep({ text }: { text: string }): string {
      this.#notes.push(text)
      return `${this.#notes.length} kept`
    }
  }
  toolConformance(run, () => toolsOf(new Notes())[0]!, { input: { text: 'milk' }, invalid: { text: ['milk'] } })
})

describe('a tool of a worker thread', () => {
  const make = () =>
    tool({
      name: 'primes',
      description: 'Counts primes.',
      inputSchema: z.object({ below: z.number() }),
      isReadOnly: true,
      isConcurrencySafe: true,
      worker: new URL('../../../examples/workers/count-primes.ts', import.meta.url),
    })
  toolConformance(run, make, { input: { below: 100 }, invalid: { below: 'many' }, slow: { below: 1e12 } })
})

describe('an agent as a tool', () => {
  const make = () =>
    new Agent({
      name: 'scout',
      description: 'Looks around.',
      model: scriptedModel(...Array.from({ length: 4 }, () => ({ text: 'All is well.' }))),
      retry: false,
      tools: [look()],
    }).asTool()
  toolConformance(run, make, { input: { input: 'north' } })
})

describe('a tool of an MCP server', () => {
  let client: McpClient
  beforeAll(async () => {
    const program = await programOf(join(import.meta.dirname, '../../mcp/support/served.ts'))
    client = new McpClient({ command: process.execPath, args: [program], startTimeoutMs: 60_000 })
  })
  afterAll(() => client.close())
  toolConformance(run, async () => (await client.loadTools({ signal: new AbortController().signal, warn: () => {} }))[0]!, {
    input: { n: 2 },
    invalid: { n: 'two' },
    progress: { n: 2 },
  })
})

describe('the tools that ship', () => {
  let workspace = ''
  beforeAll(() => {
    workspace = mkdtempSync(join(tmpdir(), 'tool-conformance-'))
  })
  afterAll(() => rmSync(workspace, { recursive: true }))
  beforeEach(() => {
    for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true })
    writeFileSync(join(workspace, 'a.txt'), 'one\ntwo\n')
  })
  const effects = () =>
    readdirSync(workspace)
      .sort()
      .map((name) => [name, readFileSync(join(workspace, name), 'utf8')])

  describe('read_file', () =>
    toolConformance(run, () => readFile({ workspace }), { input: { path: 'a.txt' }, invalid: { path: 7 }, effects }))
  describe('list_dir', () => toolConformance(run, () => listDir({ workspace }), { input: {}, invalid: { path: 7 }, effects }))
  describe('glob', () => toolConformance(run, () => glob({ workspace }), { input: { pattern: '*.txt' }, effects }))
  describe('grep', () => toolConformance(run, () => grep({ workspace }), { input: { pattern: 'two' }, effects }))
  describe('write_file', () =>
    toolConformance(run, () => writeFile({ workspace }), {
      input: { path: 'b.txt', content: 'three' },
      invalid: { path: 'b.txt' },
      effects,
    }))
  describe('edit_file', () => {
    const make = async () => {
      const files = fileLog()
      await readFile({ workspace, files })({ path: 'a.txt' })
      return editFile({ workspace, files })
    }
    toolConformance(run, make, { input: { path: 'a.txt', old: 'two', new: 'too' }, invalid: { path: 7 }, effects })
  })
  describe('shell', () =>
    toolConformance(run, () => shell({ workspace }), {
      input: { command: 'echo hello' },
      invalid: { command: 1 },
      slow: { command: 'sleep 60; echo late > late.txt' },
      effects,
    }))
  describe('todo', () =>
    toolConformance(run, () => todo(), {
      input: { todo: [{ text: 'Read', status: 'pending' }] },
      invalid: { todo: 'Read' },
      progress: { todo: [] },
    }))
})
