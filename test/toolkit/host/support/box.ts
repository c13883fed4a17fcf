import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export type Box = {
  /** Runs what stands behind it in the box. */
  readonly command: readonly string[]
  /** Where its folder `/box` lies outside. */
  readonly outside: string
  close(): Promise<void>
}

export type BoxOptions = {
  /** More for bubblewrap. */
  readonly args?: readonly string[] | undefined
  /** Where programs are looked for. */
  readonly path?: string | undefined
}

/**
 * A container: a file system and processes of its own, for whoever may make one. The folder `/box` is there alone, and the numbers of its
 * processes are not those of this machine, so that whatever is done here by mistake is seen.
 */
export async function makeBox({ args = [], path = '/usr/bin:/bin' }: BoxOptions = {}): Promise<Box> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'box-')))
  const child = spawn(
    'bwrap',
    [
      ['--die-with-parent', '--unshare-user', '--uid', '0', '--gid', '0', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
      ['--ro-bind', '/usr', '/usr', '--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
      ['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/root', '--bind', outside, '/box'],
      args,
      ['--chdir', '/', '--info-fd', '3', '/bin/sh', '-c', 'echo; while :; do sleep 1000; done'],
    ].flat(),
    { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
  )
  const pid = /"child-pid": (\d+)/.exec(await firstOf(child.stdio[3] as Readable))?.[1]
  if (pid === undefined) throw new Error('bubblewrap did not say which process it has started')
  // The mounts are made by then.
  await firstOf(child.stdout!)
  const enter = ['nsenter', '-t', pid, '-U', '-m', '-p', '--preserve-credentials', '-r', '-w', '--']
  return {
    command: [...enter, 'env', '-i', 'HOME=/root', `PATH=${path}`],
    outside,
    async close() {
      const closed = new Promise((resolve) => child.once('close', resolve))
      // The first process of the box: all others end with it.
      process.kill(Number(pid), 'SIGKILL')
      await closed
      await rm(outside, { recursive: true, force: true })
    },
  }
}

/** What comes first. The rest is read as well: a stream that nobody reads ends the one who writes. */
const firstOf = (stream: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    stream.once('close', () => reject(new Error('bubblewrap has made no box')))
    stream.on('data', (part) => resolve(String(part)))
  })

/** Can bubblewrap make them here, and can they be entered? */
export function canMakeBoxes(): boolean {
  const kept = ['--unshare-user', '--uid', '0', '--gid', '0', '--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev']
  try {
    execFileSync('nsenter', ['--version'], { stdio: 'ignore', timeout: 10_000 })
    execFileSync('bwrap', [...kept, '/bin/sh', '-c', ':'], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    console.warn('bubblewrap or nsenter is not there or cannot make containers here: tools on another machine are not tested.')
    return false
  }
}
