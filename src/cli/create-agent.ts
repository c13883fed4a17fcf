import { Agent } from '../index.ts'
import { permissions } from '../permissions/index.ts'
import { toolkit } from '../toolkit/index.ts'
import type { Ask } from './ask.ts'
import { instructionsFor } from './instructions.ts'
import type { Io } from './io.ts'
import { storedResults } from './stored-results.ts'

export type AgentSetup = {
  readonly model: string
  readonly workspace: string
  readonly maxTurns: number
  /** Asks a person before a call that may change something. Without it such calls are refused. */
  readonly ask?: Ask | undefined
}

/** The agent of the terminal: the tools for work in a folder, behind the permission gate. */
export function createAgent(io: Io, { model, workspace, maxTurns, ask }: AgentSetup): Agent {
  const { results, isStored } = storedResults()
  return new Agent({
    name: 'lena',
    model: io.modelOf?.(model) ?? model,
    instructions: instructionsFor({ workspace, platform: io.platform, date: dateOf(io.clock.now()), canAsk: ask !== undefined }),
    tools: [toolkit({ workspace, env: io.env })],
    plugins: [permissions({ ask: ask ?? 'refuse', workspace, isPersisted: isStored })],
    results,
    limits: { turns: maxTurns },
    clock: io.clock,
    ids: io.ids,
  })
}

/** The day where the user is: `2026-03-01`. */
function dateOf(now: number): string {
  const date = new Date(now)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
