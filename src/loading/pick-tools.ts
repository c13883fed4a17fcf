import { ToolDefinitionError } from '../errors.ts'
import { checkTool, isProvider } from '../tools/check-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { isObject } from '../util/json.ts'
import { saidBy } from '../util/said-by.ts'

export type Picked = {
  readonly tools: readonly Tool[]
  /** What looks like a tool and is none. */
  readonly bad: readonly string[]
}

/** The tools among what a module exports: one by one and in arrays. Other values are passed over. */
export function pickTools(exported: unknown, exportName: string | undefined): Picked {
  const tools = new Set<Tool>()
  const bad: string[] = []
  const take = (value: unknown, name: string): void => {
    if (Array.isArray(value)) return value.forEach((item: unknown, index) => take(item, `${name}[${index}]`))
    try {
      if (isProvider(value))
        throw new ToolDefinitionError('It is a tool provider, which has a life of its own. Give it to `tools` of the agent itself.')
      if (!looksLikeTool(value)) return
      checkTool(value)
      tools.add(value)
    } catch (error) {
      bad.push(`The export \`${name}\`: ${saidBy(error)}`)
    }
  }
  for (const [name, value] of exportsOf(exported, exportName)) take(value, name)
  return { tools: [...tools], bad }
}

function exportsOf(exported: unknown, exportName: string | undefined): readonly (readonly [string, unknown])[] {
  const names = isObjectLike(exported) ? Object.keys(exported) : []
  if (exportName !== undefined) {
    if (!isObjectLike(exported) || !(exportName in exported))
      throw new ToolDefinitionError(`It has no export \`${exportName}\`. There is: ${names.join(', ') || 'nothing'}.`, {
        code: 'no_such_export',
      })
    return [[exportName, exported[exportName]]]
  }
  if (!isObjectLike(exported)) return []
  // `module.exports = tool({ … })`, or an array of them. Own properties alone: a namespace may show those of its default as well.
  const whole = Array.isArray(exported) || Object.hasOwn(exported, 'run') ? [['module.exports', exported] as const] : []
  // A list holds its items already, and CommonJS in a namespace shows itself under a second name.
  return [...whole, ...(whole.length > 0 ? [] : names.map((name) => [name, exported[name]] as const))]
}

const isObjectLike = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

function looksLikeTool(value: unknown): boolean {
  if (!isObjectLike(value)) return false
  return typeof value['run'] === 'function' && (isObject(value['inputSchema']) || typeof value['description'] === 'string')
}
