import type * as Chokidar from 'chokidar'
import type * as Jiti from 'jiti'
import { AgentError } from '../errors.ts'
import { codeOf } from './native-import.ts'

/** What loads TypeScript, and fresh versions. `undefined` when it is not installed. */
export const findJiti = (): Promise<typeof Jiti | undefined> => import('jiti').catch(absent('jiti'))

/** @throws {AgentError} that says what to install. */
export async function needChokidar(): Promise<typeof Chokidar> {
  const chokidar = await import('chokidar').catch(absent('chokidar'))
  if (!chokidar) throw new AgentError('Watching tools needs the package "chokidar": npm install chokidar', { code: 'missing_package' })
  return chokidar
}

/** Only the package itself: one that is there and broken must say so. */
const absent =
  (name: string) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' || !(error instanceof Error) || !error.message.includes(`'${name}'`)) throw error
    return undefined
  }
