import { describe, expect, test } from 'vitest'
import { grep } from '../../../src/toolkit/index.ts'
import { engines } from '../support/engines.ts'
import { workspaceWith } from '../support/workspace.ts'

const bigEndian = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

describe.each(engines)('%s', (_, ripgrep) => {
  const search = async (content: string | Uint8Array): Promise<string> =>
    await grep({ workspace: await workspaceWith({ 'a.txt': content }), ripgrep })({ pattern: 'hit' })

  test('UTF-16 in either order of its bytes', async () => {
    expect(await search(bigEndian('one\nhit ä\n'))).toBe('a.txt\n2:hit ä')
  })

  test('a line that goes on from one block to the next is one line', async () => {
    const block = 256 * 1024
    expect(await search(`${'a'.repeat(block + 10)}\r\n${'b'.repeat(block - 13)}\nhit`)).toBe('a.txt\n3:hit')
  })
})

test('when a search has ended nothing waits for its time to be up', async () => {
  const signals: AbortSignal[] = []
  const clock = {
    now: () => 0,
    sleep: (_ms: number, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  }
  const workspace = await workspaceWith({ 'a.txt': 'hit' })
  await grep({ workspace, ripgrep: false, clock })({ pattern: 'hit' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})
