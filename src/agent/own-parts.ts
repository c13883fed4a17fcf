import { text } from '../messages/content.ts'
import type { Model, ModelChoice } from '../models/model.ts'
import { resolveModel } from '../models/resolve.ts'
import { Tools } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import { settleOrAbort } from '../util/abort.ts'
import type { AgentCore } from './core.ts'

export type OwnParts = {
  /** The tools of the conversation. Default: the agent's. */
  readonly tools?: readonly Tool[] | undefined
  /** The model, or its name. Default: the agent's. */
  readonly model?: ModelChoice | undefined
  /** The system prompt. Default: the agent's. */
  readonly instructions?: string | undefined
}

/** What a fork has in the place of its template's. What is left out it shares. */
export function ownParts(template: AgentCore, { tools, model, instructions }: OwnParts): Partial<AgentCore> {
  return {
    ...(tools && withTools(tools)),
    ...(model !== undefined && withModel(template, model)),
    ...(instructions !== undefined && { system: Object.freeze(instructions === '' ? [] : [Object.freeze(text(instructions))]) }),
  }
}

function withTools(given: readonly Tool[]): Partial<AgentCore> {
  const tools = new Tools()
  tools.add(given)
  return { tools, refreshTools: () => undefined }
}

function withModel(template: AgentCore, choice: ModelChoice): Partial<AgentCore> {
  let loading: Promise<Model> | undefined
  const modelAt = async (_index: number, signal: AbortSignal): Promise<Model | undefined> => {
    loading ??= typeof choice === 'string' ? resolveModel(choice) : Promise.resolve(choice)
    const settled = await settleOrAbort(loading, signal)
    if (settled && !settled.ok) throw settled.error
    return settled?.value
  }
  return {
    modelCount: 1,
    modelAt,
    ready: async (signal) => {
      await template.prepare(signal)
      // Cancelled: the run ends before it needs a model.
      return (await modelAt(0, signal)) ?? (undefined as unknown as Model)
    },
  }
}
