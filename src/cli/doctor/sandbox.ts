import { shell } from '../../toolkit/index.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Check } from './finding.ts'

const timeoutMs = 15_000

/** Where the settings ask for a sandbox: can it be made here? Without one no command runs. */
export const sandbox: Check = async ({ io, workspace }) => {
  const { values, faults } = await loadSettings(io, workspace)
  if (!values.sandbox || faults.length > 0) return []
  try {
    await shell({ workspace, env: io.env, sandbox: values.sandbox })({ command: 'true' }, { signal: AbortSignal.timeout(timeoutMs) })
    return [{ state: 'good', about: 'sandbox', said: 'commands run in it' }]
  } catch (error) {
    return [{ state: 'bad', about: 'sandbox', said: error instanceof Error ? error.message : String(error) }]
  }
}
