import { programOnPath } from './program-on-path.ts'

/** The program that runs commands: bash where there is one, but never one of the workspace; else the plain shell of the system. */
export const findShell = async (path: string | undefined, workspace: string): Promise<string> =>
  (await programOnPath('bash', `${path ?? ''}:/bin`, workspace)) ?? '/bin/sh'
