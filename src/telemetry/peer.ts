import type * as Api from '@opentelemetry/api'
import { AgentError } from '../errors.ts'

let loaded: typeof Api | undefined

/** @throws {AgentError} that says what to install. */
export async function loadApi(): Promise<typeof Api> {
  try {
    return (loaded ??= await import('@opentelemetry/api'))
  } catch (cause) {
    throw new AgentError(
      'telemetry() needs the package "@opentelemetry/api", which is not installed: npm install @opentelemetry/api. For a plain file without it there is traceFile().',
      { code: 'package_missing', cause },
    )
  }
}

/** The API where somebody has loaded it already. */
export const loadedApi = (): typeof Api | undefined => loaded
