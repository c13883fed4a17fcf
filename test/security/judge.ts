import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PermissionOptions } from '../../src/permissions/index.ts'
import { permissions } from '../../src/permissions/index.ts'
import { toolkit } from '../../src/toolkit/index.ts'
import type { Gate } from '../../src/tools/gate.ts'
import { flagsOf } from '../../src/tools/flags.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { toolNamed } from '../support/tools.ts'

export type Said = 'allow' | 'ask' | 'deny'

/** A workspace `app` with links out of it, and a secret folder whose name begins as the workspace's does. */
export function makePlace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lena-security-')))
  const workspace = join(base, 'app')
  for (const folder of ['src', 'docs', '.git']) mkdirSync(join(workspace, folder), { recursive: true })
  mkdirSync(join(base, 'app-secret'))
  writeFileSync(join(base, 'app-secret', 'key'), 'secret')
  writeFileSync(join(workspace, 'src', 'secret.txt'), 'secret')
  writeFileSync(join(workspace, 'src', 'plain.txt'), 'plain')
  symlinkSync(join(base, 'app-secret'), join(workspace, 'out'))
  symlinkSync(join(base, 'nowhere'), join(workspace, 'dangling'))
  symlinkSync(join(workspace, 'src', 'secret.txt'), join(workspace, 'docs', 'link'))
  return { base, workspace, remove: () => rmSync(base, { recursive: true, force: true }) }
}

/** What the gate says of a call with nobody but a person who says no: whether it asks is seen by whether it does. */
export function judgeIn(workspace: string, options: PermissionOptions = {}) {
  const tools = new Map<string, Tool>(toolkit({ workspace }).map((tool) => [tool.name, tool]))
  for (const name of ['web_fetch', 'edit_file'])
    tools.set(
      name,
      toolNamed(name, () => ''),
    )
  let asked = false
  let gate: Gate | undefined
  const plugin = permissions({ workspace, ...options, ask: () => ((asked = true), false) })
  void plugin.setup?.({ guard: (given: Gate) => (gate = given) } as never)
  return async (name: string, input: Record<string, string>): Promise<Said> => {
    const tool = tools.get(name)!
    asked = false
    const verdict = await gate!.judge({
      tool,
      input,
      flags: await flagsOf(tool, input),
      toolUse: { id: 'call_1', name },
      signal: new AbortController().signal,
      approved: false,
      interrupt: () => {
        throw new Error('nobody')
      },
    })
    return asked ? 'ask' : verdict.decision
  }
}
