import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for one test, with no links on the way to it, gone when the test is over. */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'results-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const { signal } = new AbortController()

export const named = (text: string, conversationId = 'conv_1') => ({ text, callId: 'call_1', conversationId })

/** Code and message of what a promise is rejected with. */
export const failureOf = (promise: Promise<unknown>): Promise<{ code: unknown; message: string }> =>
  promise.then(
    (value) => Promise.reject(new Error(`expected a failure, got ${JSON.stringify(value)}`)),
    (error: unknown) => ({ code: (error as { code?: unknown }).code, message: (error as Error).message }),
  )
