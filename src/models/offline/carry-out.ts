import type { Plan, Step } from './plan.ts'
import type { Finding, Site } from './site.ts'
import { failed } from './site.ts'
import type { Outcome, Work } from './work.ts'
import { all } from './work.ts'

/** A step and what came of it. */
export type Report = { readonly step: Step; readonly finding: Finding | undefined }

/**
 * Carries a plan out. Steps that only look are done side by side; one that changes something waits for all before it, and all
 * behind it wait for it. A change that was to follow on something that failed, or was not understood, is not made.
 */
export function* carryOut({ steps }: Plan, tools: ReadonlySet<string>): Work<readonly Report[]> {
  const memory = new Map<string, Outcome>()
  const reports: Report[] = []
  for (const stage of stagesOf(steps)) {
    const previous = reports.findLast(
      ({ finding }) => finding !== undefined && (finding.value !== undefined || finding.exitCode !== undefined),
    )?.finding
    const before = [...reports]
    const findings = yield* all(stage.map((step) => oneStep(step, { tools, memory, previous, quiet: step.task?.fetches ?? false }, before)))
    stage.forEach((step, index) => reports.push({ step, finding: findings[index] }))
  }
  return reports
}

function* oneStep(step: Step, site: Site, before: readonly Report[]): Work<Finding | undefined> {
  const { task, link } = step
  if (!task) return undefined
  if (task.acts && !task.isTalk) {
    const last = before.at(-1)
    const missed = before.find((report) => report.step.task === undefined)
    if (missed) return failed(`I did not ${task.aim}, because it was to come after something that I did not understand.`)
    // The output of a command that failed is still its output.
    const isBlocked = task.usesPrevious ? last?.finding?.exitCode === undefined : link === 'then'
    if (last?.finding?.failed && isBlocked) return failed(`I did not ${task.aim}, because what was to come before it failed.`)
  }
  return yield* task.work(site)
}

function stagesOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const stages: Step[][] = []
  for (const step of steps) {
    const stage = stages.at(-1)
    const last = stage?.at(-1)
    if (stage && last && goesWith(step, last)) stage.push(step)
    else stages.push([step])
  }
  return stages
}

function goesWith({ task, link }: Step, { task: last }: Step): boolean {
  // What was not understood may have been meant to come before a change.
  if (!task || !last) return task?.acts === undefined
  if (link === 'then' || task.usesPrevious) return false
  // Commands that are named in one breath run in one turn; the tool keeps their order.
  return task.acts === last.acts && task.acts !== 'writes'
}
