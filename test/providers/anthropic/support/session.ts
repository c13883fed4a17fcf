import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../../../src/util/json.ts'
import { isObject } from '../../../../src/util/json.ts'

type RecordedMessage = { readonly role: string; readonly content: string | readonly JsonObject[] }
export type RecordedTurn = {
  readonly response: string
  readonly recorded_request: {
    readonly model: string
    readonly messages: readonly RecordedMessage[]
    readonly system?: string | readonly JsonObject[]
    readonly tools: readonly { readonly name: string; readonly description: string; readonly input_schema: object }[]
  }
  readonly tool_results_sent_by_recorder: readonly { readonly id: string; readonly content: JsonValue; readonly is_error: boolean }[]
  readonly expected: {
    readonly text: string
    readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[]
    readonly usage: { readonly input: number; readonly output: number }
  }
}
export type Session = {
  readonly name: string
  readonly turns: readonly RecordedTurn[]
  readonly answers: readonly Uint8Array<ArrayBuffer>[]
}

/** The recorded sessions in a folder; none when it is not there. */
export function sessionsIn(folder: URL, pick: (name: string) => boolean = () => true): readonly Session[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && pick(entry.name))
    .map(({ name }) => {
      const own = new URL(`${name}/`, folder)
      const { turns } = JSON.parse(readFileSync(new URL('session.json', own), 'utf8')) as { readonly turns: readonly RecordedTurn[] }
      return { name, turns, answers: turns.map(({ response }) => readFileSync(new URL(response, own)) as Uint8Array<ArrayBuffer>) }
    })
}

/** What the messages of a request say, whoever wrote it down. */
export const saidIn = (messages: readonly RecordedMessage[]): readonly JsonValue[] =>
  messages.map(({ role, content }) => ({
    role,
    content: (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => saidInBlock(block)),
  }))

function saidInBlock(block: JsonObject): JsonValue {
  if (block['type'] === 'text') return String(block['text'])
  if (block['type'] === 'tool_use') return { calls: block['name'], id: block['id'], input: block['input'] }
  if (block['type'] === 'tool_result') return { answers: block['tool_use_id'], with: textOf(block['content']) }
  return block
}

/** The text of a result, which the recorders wrote in several ways. */
export function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return Array.isArray(content)
    ? (content as readonly JsonValue[]).map((part) => (isObject(part) ? String(part['text']) : '')).join('')
    : ''
}
