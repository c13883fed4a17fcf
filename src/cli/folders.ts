import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import type { Io } from './io.ts'

type Place = Pick<Io, 'env' | 'platform'>

/** What the user sets: `LENA_CONFIG_DIR`, else `lena-agent` in the user's folder for settings. */
export function configFolder({ env, platform }: Place): string {
  const own = env['LENA_CONFIG_DIR']
  if (own !== undefined && isAbsolute(own)) return own
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homeOf(env), 'AppData', 'Roaming'), 'lena-agent')
  const { XDG_CONFIG_HOME: xdg } = env
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeOf(env), '.config'), 'lena-agent')
}

/** What the program keeps: `LENA_STATE_DIR`, else `lena-agent` in the user's folder for state. */
export function stateFolder({ env, platform }: Place): string {
  const own = env['LENA_STATE_DIR']
  if (own !== undefined && isAbsolute(own)) return own
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homeOf(env), 'AppData', 'Local'), 'lena-agent')
  if (platform === 'darwin') return join(homeOf(env), 'Library', 'Application Support', 'lena-agent')
  const { XDG_STATE_HOME: xdg } = env
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeOf(env), '.local', 'state'), 'lena-agent')
}

/** What is kept of one workspace: its sessions, and the rules that were answered with "always". Named so that one finds it. */
export function workspaceState(place: Place, workspace: string): string {
  const real = realFolder(workspace)
  const readable =
    basename(real)
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, 40) || 'root'
  return join(stateFolder(place), 'folders', `${readable}-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`)
}

/** One folder has one name, by whichever link it was entered. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}

const homeOf = (env: Io['env']): string => env['HOME'] || homedir()
