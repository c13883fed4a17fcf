// A host behind a prefix is a process for each question, so this takes long.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, test } from 'vitest'
import type { Host } from 'lena-agent/toolkit'
import { hostConformance } from 'lena-agent/testing'
import { hostBehind } from '../../../examples/container/host.ts'
import { canMakeBoxes, makeBox } from '../../toolkit/host/support/box.ts'
import type { Box, BoxOptions } from '../../toolkit/host/support/box.ts'

function conforms(options: BoxOptions = {}): void {
  let box: Box
  let host: Host
  let count = 0
  beforeAll(async () => {
    box = await makeBox(options)
    host = await hostBehind({ command: box.command })
  })
  afterAll(() => box.close())
  hostConformance({ test }, async () => {
    const folder = `/box/${++count}`
    await host.files.makeFolder(folder)
    return { host, folder }
  })
}

describe.runIf(canMakeBoxes())('the host of the examples, behind a prefix that leads into a container', () => conforms())

describe.runIf(canMakeBoxes())('the same where busybox is all there is besides bash', () => {
  const programs = busybox()
  if (programs === undefined) return it.skip('busybox is not installed', () => {})
  afterAll(() => rmSync(programs, { recursive: true }))
  conforms({ args: ['--ro-bind', programs, '/busybox'], path: '/busybox:/usr/bin:/bin' })
})

/** This machine, by a prefix that joins its words for a shell, as that of `ssh` does. */
describe('the same behind a prefix that joins its words', () => {
  hostConformance({ test }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'joined-')))
    return {
      host: await hostBehind({ command: ['sh', '-c', 'eval "$1"', 'sh'], joins: true }),
      folder,
      dispose: () => rmSync(folder, { recursive: true }),
    }
  })
})

/** A folder of links, each a program of busybox. */
function busybox(): string | undefined {
  try {
    const program = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim()
    const names = execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n')
    const folder = mkdtempSync(join(tmpdir(), 'busybox-'))
    copyFileSync(program, join(folder, 'busybox'))
    for (const name of names) if (!['bash', 'busybox'].includes(name)) symlinkSync('busybox', join(folder, name))
    return folder
  } catch {
    return undefined
  }
}
