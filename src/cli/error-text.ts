import type { Environment } from './io.ts'

/** An error as one paragraph for people; with LENA_DEBUG=1 its stack too. */
export function errorText(error: unknown, env: Environment): string {
  if (!(error instanceof Error)) return String(error)
  if (env['LENA_DEBUG'] === '1')
    return `${error.stack ?? error.message}${error.cause instanceof Error ? `\nCaused by: ${error.cause.stack ?? error.cause.message}` : ''}`
  return error.message.replaceAll(/\s*\n\s*/g, ' ').trim() || error.name
}
