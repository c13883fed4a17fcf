import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { toolUsesOf } from '../../../src/messages/message.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { jsonSchema } from '../../../src/tools/schema.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { JsonObject, JsonValue } from '../../../src/util/json.ts'
import { isObject } from '../../../src/util/json.ts'

type WireMessage = {
  readonly role: string
  readonly content?: JsonValue
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
}
type Turn = {
  readonly response: string
  readonly recorded_request: {
    readonly model: string
    readonly messages: readonly WireMessage[]
    readonly tools?: readonly { readonly function: { readonly name: string; readonly description?: string; readonly parameters: object } }[]
  }
  readonly tool_results_sent_by_recorder: readonly { readonly id: string; readonly content: JsonValue }[]
  readonly expected: {
    readonly text: string
    readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[]
  }
}
type Session = { readonly name: string; readonly turns: readonly Turn[]; readonly answers: readonly Uint8Array<ArrayBuffer>[] }

const folder = new URL('../../../../shared/corpora/transcripts/sessions/', import.meta.url)

function sessions(): readonly Session[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name): readonly Session[] => {
    const file = new URL(`${name}/session.json`, folder)
    if (!existsSync(file)) return []
    const { api, turns } = JSON.parse(readFileSync(file, 'utf8')) as { readonly api: string; readonly turns: readonly Turn[] }
    if (api !== 'openai-chat') return []
    return [{ name, turns, answers: turns.map(({ response }) => readFileSync(new URL(response, file)) as Uint8Array<ArrayBuffer>) }]
  })
}

const textOf = (content: JsonValue | undefined): string =>
  Array.isArray(content)
    ? (content as readonly JsonValue[]).map((part) => (isObject(part) ? String(part['text']) : '')).join('')
    : String(content ?? '')

/** What a request says, whoever wrote it down. */
const saidIn = (messages: readonly WireMessage[]): readonly JsonValue[] =>
  messages.map((message) => ({
    role: message.role,
    // Some recorders add a line break to what the model said.
    text: textOf(message.content).trim(),
    calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      id,
      name,
      input: JSON.parse(input) as JsonValue,
    })),
    answers: message.tool_call_id ?? null,
  }))

/** Runs the session again: the answers as they were recorded, tools that answer what they answered then. */
async function replay({ turns, answers }: Session): Promise<{ readonly sent: readonly (readonly WireMessage[])[]; readonly agent: Agent }> {
  const { model, messages, tools = [] } = turns[0]!.recorded_request
  const results = new Map(turns.flatMap(({ tool_results_sent_by_recorder: given }) => given.map(({ id, content }) => [id, content])))
  const called = turns.flatMap(({ expected }) => expected.tool_calls.map(({ id }) => id))
  const sent: (readonly WireMessage[])[] = []
  const play: typeof fetch = async (_url, init) => {
    const body = JSON.parse(new TextDecoder().decode(init!.body as Uint8Array)) as { readonly messages: readonly WireMessage[] }
    sent.push(body.messages)
    return new Response(answers[sent.length - 1], { headers: { 'content-type': 'text/event-stream' } })
  }
  const system = messages.find(({ role }) => role === 'system')
  const agent = new Agent({
    model: openai(model, { api: 'chat', apiKey: 'k', fetch: play }),
    ...(system && { instructions: textOf(system.content) }),
    tools: tools.map(({ function: { name, description, parameters } }) =>
      tool({
        name,
        description: description || name,
        inputSchema: jsonSchema({ ...parameters }),
        execute: () => textOf(results.get(called.shift()!) ?? 'fine'),
      }),
    ),
  })
  const prompts = turns.flatMap(({ recorded_request: { messages: asked } }, index) => (asked.at(-1)!.role === 'user' ? [index] : []))
  for (const [place, index] of prompts.entries()) {
    // No turn more than were recorded: the last answer of some is a call that ended the recorder's run.
    const limits = { turns: (prompts[place + 1] ?? turns.length) - index }
    await agent.invoke(textOf(turns[index]!.recorded_request.messages.at(-1)!.content), { limits })
  }
  return { sent, agent }
}

const found = sessions()

describe.skipIf(found.length === 0)('recorded sessions run again as they ran (skipped when ../shared/corpora is missing)', () => {
  it.each(found.map((session) => [session.name, session] as const))('%s', async (_name, session) => {
    const { sent, agent } = await replay(session)
    expect(sent.map(saidIn)).toEqual(session.turns.map(({ recorded_request: { messages } }) => saidIn(messages)))
    const replies = agent.messages.filter(({ role }) => role === 'assistant')
    expect(
      replies.map((message) => ({
        text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: toolUsesOf(message).map(({ name, input, provider }) => ({ id: provider?.['openai']?.['id'], name, input })),
      })),
    ).toEqual(session.turns.map(({ expected: { text, tool_calls: calls } }) => ({ text, calls })))
  })
})
