import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PermissionOptions } from '../../src/permissions/index.ts'
import { permissions } from '../../src/permissions/index.ts'
import { localHost, toolkit } from '../../src/toolkit/index.ts'
import type { Host } from '../../src/toolkit/index.ts'
import type { Gate } from '../../src/tools/gate.ts'
import { gateRequest } from '../support/gate-request.ts'
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

/** Of so many calls one is judged elsewhere, too; in the long run each is. */
const oneOf = Number(process.env['JUDGE_ELSEWHERE'] ?? 16)

/**
 * What the gate says of a call with nobody but a person who says no: whether it asks is seen by whether it does. Some calls are judged
 * twice, also as on a machine that answers nothing at once: both must say the same.
 */
export function judgeIn(workspace: string, options: PermissionOptions = {}) {
  const here = judgeOn(undefined, workspace, options)
  const elsewhere = judgeOn(slowHost(workspace), workspace, options)
  let calls = 0
  return async (name: string, input: Record<string, string>): Promise<Said> => {
    const said = await here(name, input)
    if (calls++ % oneOf > 0) return said
    const saidThere = await elsewhere(name, input)
    if (saidThere !== said) throw new Error(`${JSON.stringify(input)}: ${said} where files answer at once, ${saidThere} where they do not`)
    return said
  }
}

/** This machine as if it were far away: each look at a file is waited for. */
function slowHost(workspace: string): Host {
  const host = localHost({ workspace })
  return { ...host, files: { ...host.files, atOnce: undefined } }
}

export function judgeOn(host: Host | undefined, workspace: string, options: PermissionOptions) {
  const tools = new Map<string, Tool>(toolkit({ workspace, host }).map((tool) => [tool.name, tool]))
  for (const name of ['web_fetch', 'edit_file'])
    tools.set(
      name,
      toolNamed(name, () => ''),
    )
  let asked = false
  let gate: Gate | undefined
  const plugin = permissions({ workspace, host, ...options, ask: () => ((asked = true), false) })
  void plugin.setup?.({ guard: (given: Gate) => (gate = given) } as never)
  return async (name: string, input: Record<string, string>): Promise<Said> => {
    const tool = tools.get(name)!
    asked = false
    const verdict = await gate!.judge(await gateRequest(tool, input))
    return asked ? 'ask' : verdict.decision
  }
}
