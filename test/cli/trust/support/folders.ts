import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TrustStore } from '../../../../src/cli/trust/trust-store.ts'
import { trustStore } from '../../../../src/cli/trust/trust-store.ts'

/** A folder of its own, by its real name; it goes when the test is over. */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lena-trust-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const storeIn = (config: string): TrustStore => trustStore({ env: { LENA_CONFIG_DIR: config }, platform: 'linux' })
