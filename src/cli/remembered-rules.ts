import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rule } from '../permissions/index.ts'
import { workspaceState } from './folders.ts'
import type { Io } from './io.ts'
import { whileLocked } from './while-locked.ts'

export const rememberedPath = (io: Io, workspace: string): string => join(workspaceState(io, workspace), 'rules.json')

/** The rules that were answered with "always" in this folder. What cannot be read allows nothing. */
export async function rememberedRules(io: Io, workspace: string): Promise<readonly Rule[]> {
  try {
    const { rules } = JSON.parse(await readFile(rememberedPath(io, workspace), 'utf8')) as { readonly rules?: unknown }
    return Array.isArray(rules) ? rules.filter(isAllowRule) : []
  } catch {
    return []
  }
}

/** Keeps a rule for the next time. It holds in this folder, and stands in the user's own folder, never in the project's. */
export async function rememberRule(io: Io, workspace: string, rule: Rule): Promise<void> {
  // Anew each time: another terminal may have added one, or adds one just now.
  await whileLocked(rememberedPath(io, workspace), async () => {
    const rules = [...(await rememberedRules(io, workspace))]
    if (rules.some(({ tool, pattern }) => tool === rule.tool && pattern === rule.pattern)) return
    await write(io, workspace, [...rules, rule])
  })
}

export async function forgetRules(io: Io, workspace: string): Promise<void> {
  await rm(rememberedPath(io, workspace), { force: true })
}

async function write(io: Io, workspace: string, rules: readonly Rule[]): Promise<void> {
  const path = rememberedPath(io, workspace)
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(beside, `${JSON.stringify({ workspace, rules }, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 })
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

function isAllowRule(value: unknown): value is Rule {
  const { decision, tool, pattern } = (value ?? {}) as Partial<Record<keyof Rule, unknown>>
  return (
    decision === 'allow' &&
    typeof tool === 'string' &&
    /^[\w-]{1,128}$/.test(tool) &&
    (pattern === undefined || (typeof pattern === 'string' && pattern !== ''))
  )
}
