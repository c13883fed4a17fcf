import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { charsOf, shorten } from '../context/shorten-results.ts'
import { toolUsesOf } from '../messages/message.ts'
import type { Budgeted, BudgetOptions } from '../results/budget.ts'
import { budgetResult, budgetTurn, defaultResultChars } from '../results/budget.ts'
import { readerFor } from '../results/read-result.ts'
import { largeStructured } from '../results/structured.ts'
import type { Tool } from '../tools/tool.ts'
import { freezeOwn } from '../util/json.ts'
import type { Run } from './run.ts'

/** Holds one result to the budget of its tool; `undefined`, at once, for one that fits. */
export function shortenResult(run: Run, result: ToolResultBlock, tool: Tool | undefined): Promise<ToolResultBlock> | undefined {
  const shortened = budgetResult(result, { toolName: tool?.name, maxChars: tool?.maxResultChars, ...optionsOf(run) })
  return shortened?.then((budgeted) => told(run, budgeted))
}

/** Holds the results of a whole turn to their budget: the largest go first. */
export async function shortenTurn(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  const results = calls.flatMap(({ id, name }) => {
    const result = run.results.get(id)
    return result ? [{ result, toolName: name, maxChars: run.tools.get(name)?.maxResultChars }] : []
  })
  for (const budgeted of (await budgetTurn(results, optionsOf(run))) ?? []) {
    const result = await told(run, budgeted)
    run.results.set(result.toolUseId, result)
  }
}

/**
 * The form in which a result goes into the session at once, before it is stored: one over its budget without its middle. The
 * reference follows. A session that held such results whole would take minutes to be read.
 */
export function loggedAs(run: Run, result: ToolResultBlock): ToolResultBlock {
  if (!isOver(result, defaultResultChars)) return result
  const call = toolUsesOf(run.core.transcript.last).find(({ id }) => id === result.toolUseId)
  return isOver(result, (call && run.tools.get(call.name)?.maxResultChars) ?? defaultResultChars)
    ? freezeOwn(shorten(result, loggedChars))
    : result
}

const isOver = (result: ToolResultBlock, maxChars: number): boolean =>
  charsOf(result) > maxChars || largeStructured(result, maxChars) !== undefined

const loggedChars = 2000

function optionsOf(run: Run): BudgetOptions {
  const { core, bound } = run
  const conversationId = core.keptWith ?? core.conversationId
  return { store: core.results, conversationId, reader: () => readerFor(core.results, core.tools), bound }
}

async function told(run: Run, { result, persisted, warning }: Budgeted): Promise<ToolResultBlock> {
  if (persisted) await run.emit?.({ type: 'result_persisted', ...run.base, ...persisted })
  if (warning) await run.warn(warning.code, warning.message)
  return result
}
