import type { ToolResultBlock } from '../../../src/messages/content.ts'
import { text } from '../../../src/messages/content.ts'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import { Assembler } from '../../../src/models/assemble.ts'
import type { AssembledMessage } from '../../../src/models/assemble.ts'
import type { Model, ModelRequest } from '../../../src/models/model.ts'
import { offline } from '../../../src/models/offline/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { randomIds } from '../../../src/util/ids.ts'
import type { FakeTool } from './fake-tools.ts'

export type Played = {
  /** The calls of each turn. */
  readonly turns: readonly (readonly { readonly name: string; readonly input: JsonObject }[])[]
  readonly answer: string
  readonly messages: readonly SendableMessage[]
}

export type PlayOptions = {
  readonly tools?: Readonly<Record<string, FakeTool>> | undefined
  /** Messages before the prompt. */
  readonly history?: readonly SendableMessage[] | undefined
}

const maxTurns = 60

/** Runs a prompt to its answer: model, tools, model. Every turn gets a new model, so that none can remember anything. */
export async function play(prompt: string, { tools = {}, history = [] }: PlayOptions = {}): Promise<Played> {
  const messages: SendableMessage[] = [...history, { role: 'user', content: [text(prompt)] }]
  const turns: Played['turns'][number][] = []
  for (let turn = 0; turn < maxTurns; turn++) {
    const message = await ask(offline(), requestOf(messages, Object.keys(tools)))
    messages.push({ role: 'assistant', content: message.content })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0)
      return { turns, answer: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''), messages }
    turns.push(calls.map(({ name, input }) => ({ name, input })))
    messages.push({
      role: 'user',
      content: calls.map(({ id, name, input }): ToolResultBlock => {
        const tool = tools[name]
        if (!tool) throw new Error(`The model called ${name}, which was not offered.`)
        const { status, code, text: said } = tool(input)
        return { type: 'tool_result', toolUseId: id, status, ...(code && { code }), content: [text(said)] }
      }),
    })
  }
  throw new Error(`No answer after ${maxTurns} turns.`)
}

export function requestOf(messages: readonly SendableMessage[], tools: readonly string[], rest: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: [],
    messages,
    tools: tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    toolChoice: 'auto',
    settings: {},
    ...rest,
  }
}

/** One message of a model, whole. */
export async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<AssembledMessage> {
  const assembler = new Assembler({
    messageId: 'm',
    provider: model.provider,
    ids: randomIds,
    base: { invocationId: 'i', turn: 1 },
    now: () => 0,
  })
  for await (const event of model.stream(request, { signal })) await assembler.push(event)
  return assembler.finish()
}
