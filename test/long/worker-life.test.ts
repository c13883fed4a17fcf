import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ToolDefinitionError, WorkerError } from '../../src/errors.ts'
import { tool } from '../../src/tools/tool.ts'
import { openPool } from '../../src/tools/worker-pool.ts'

// Threads and processes start up here.
vi.setConfig({ testTimeout: 120_000 })

const inputSchema = z.looseObject({ do: z.string() })
const url = new URL('../tools/worker/modules/work.mjs', import.meta.url)
const base = { name: 'work', description: 'd', inputSchema }

describe('the threads', () => {
  it('start with the first call, serve the tools of one module together, and end when they have no work', async () => {
    const started: Worker[] = []
    const count = (worker: Worker): void => void started.push(worker)
    process.on('worker', count)
    try {
      const [one, two] = [tool({ ...base, worker: { url, idleMs: 2000 } }), tool({ ...base, name: 'two', worker: { url, idleMs: 2000 } })]
      expect(started).toEqual([])
      expect(await one({ do: 'thread' })).toBe(await two({ do: 'thread' }))
      expect(started).toHaveLength(1)
      await once(started[0]!, 'exit')
    } finally {
      process.off('worker', count)
    }
  })

  it('are no more than allowed', async () => {
    const pair = tool({ ...base, worker: { url, maxThreads: 2 } })
    const threads = await Promise.all(Array.from({ length: 6 }, () => pair({ do: 'thread' })))
    expect(new Set(threads).size).toBeLessThanOrEqual(2)
  })

  it('keep no process alive', async () => {
    const program = `
      import { jsonSchema, tool } from 'lena-agent'
      const work = tool({
        name: 'work', description: 'd', inputSchema: jsonSchema({ type: 'object' }),
        worker: { url: new URL(${JSON.stringify(url.href)}), idleMs: 3_600_000 },
      })
      console.log(await work({ do: 'hash', text: 'a' }))
    `
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      timeout: 100_000,
    })
    expect(stdout.trim()).toMatch(/^[0-9a-f]{64}$/)
  })

  it('that cannot even start are an error result, not the end of the process', async () => {
    const tiny = tool({ ...base, worker: { url, resourceLimits: { maxOldGenerationSizeMb: 1, maxYoungGenerationSizeMb: 1 } } })
    await expect(tiny({ do: 'fill' })).rejects.toThrow(WorkerError)
  })
})

describe('without the package', () => {
  it('the call says what to install', async () => {
    const cause = new Error("Cannot find package 'tinypool'")
    await expect(openPool({ maxThreads: 1, idleMs: 0, resourceLimits: undefined }, () => Promise.reject(cause))).rejects.toEqual(
      new WorkerError('Tools with `worker` need Node and the package tinypool. Install it: npm install tinypool', {
        code: 'package_missing',
        cause,
      }),
    )
  })
})

describe('tool refuses', () => {
  const named = 'The tool "work"'
  it.each<[string, object, string]>([
    ['both', { worker: url, execute: () => 1 }, `${named} has both execute and worker. Keep the one that shall run.`],
    [
      'a path as worker',
      { worker: './work.ts' },
      `${named}: worker must be new URL('./module.ts', import.meta.url), or { url, maxThreads, idleMs, resourceLimits }; got string.`,
    ],
    ['no threads', { worker: { url, maxThreads: 0 } }, `${named}: worker.maxThreads must be a whole number from 1, got 0.`],
    ['half a thread', { worker: { url, maxThreads: 1.5 } }, `${named}: worker.maxThreads must be a whole number from 1, got 1.5.`],
    ['less than no time', { worker: { url, idleMs: -1 } }, `${named}: worker.idleMs must be a number of milliseconds, got -1.`],
    [
      'a limit that is none',
      { worker: { url, resourceLimits: 5 } },
      `${named}: worker.resourceLimits must be an object such as { maxOldGenerationSizeMb: 256 }, got number.`,
    ],
  ])('%s', (_what, part, said) => expect(() => tool({ ...base, ...part } as never)).toThrow(new ToolDefinitionError(said)))
})
