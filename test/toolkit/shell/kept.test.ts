import { expect, test } from 'vitest'
import { memoryResults } from 'lena-agent'
import { shell } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'
import { scriptedHost } from './support/scripted-host.ts'

/** What a store is given of a command that prints that. */
async function keptOf(output: string): Promise<readonly unknown[]> {
  const kept: unknown[] = []
  const results: ReturnType<typeof memoryResults> = {
    ...memoryResults(),
    put: async (result) => {
      kept.push(result)
      return { path: '/kept' }
    },
  }
  await shell({ workspace: await workspaceWith(), host: scriptedHost(output), results })({ command: 'make' })
  return kept
}

test('an output of 29,000 characters is shown whole and not kept, a longer one is', async () => {
  expect(await keptOf('x'.repeat(29_000))).toEqual([])
  expect(await keptOf('x'.repeat(29_001))).toEqual([
    { text: 'x'.repeat(29_001), callId: expect.any(String), conversationId: 'direct', toolName: 'shell' },
  ])
})

test('of one of more than a million the middle is left out', async () => {
  const whole = 'x'.repeat(1_000_000)
  expect(await keptOf(whole)).toMatchObject([{ text: whole }])
  const [{ text }] = (await keptOf(`${whole}x`)) as [{ text: string }]
  expect(text.length).toBeLessThanOrEqual(1_000_000)
  expect(text).toMatch(/^x{333000,}\n\[… \d+ characters left out …\]\nx{666000,}$/)
})
