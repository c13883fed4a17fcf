import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/mcp-conformance.mjs')

function runScript(): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    // With all that it has started.
    onTestFinished(() => {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said }))
  })
}

it('the official suite finds nothing, and no less done than by the official client', async ({ skip }) => {
  const { code, said } = await runScript()
  if (code === 2) skip(said.trim().split('\n').at(-1))
  expect(said).toContain('2025-11-25: 18 of 18 scored scenarios count.')
  expect(said).toContain('2026-07-28: 32 of 32 scored scenarios count.')
  expect(code).toBe(0)
}, 1_800_000)
