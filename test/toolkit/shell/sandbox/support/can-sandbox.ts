import { execFileSync } from 'node:child_process'

/** Can bubblewrap make sandboxes on this machine? */
export function canSandbox(): boolean {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '/bin/sh', '-c', ':'], {
      stdio: 'ignore',
      timeout: 10_000,
    })
    return true
  } catch {
    console.warn('bubblewrap is not there or cannot make sandboxes here: what runs in one is not tested.')
    return false
  }
}
