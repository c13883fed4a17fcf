import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../../../src/util/json.ts'
import { isObject } from '../../../../src/util/json.ts'

export type RecordedTurn = {
  readonly response: string
  readonly recorded_request: {
    readonly model: string
    readonly input: readonly JsonObject[]
    readonly instructions?: string
    readonly tools?: readonly { readonly name: string; readonly description: string; readonly parameters: object }[]
  }
  readonly tool_results_sent_by_recorder: readonly { readonly id: string; readonly content: JsonValue }[]
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

/** The recorded sessions of this API in a folder; none when it is not there. */
export function sessionsIn(folder: URL): readonly Session[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/session.json`, folder)))
    .flatMap(({ name }) => {
      const own = new URL(`${name}/`, folder)
      const { api, turns } = JSON.parse(readFileSync(new URL('session.json', own), 'utf8')) as {
        readonly api: string
        readonly turns: readonly RecordedTurn[]
      }
      if (api !== 'openai-responses') return []
      return [{ name, turns, answers: turns.map(({ response }) => readFileSync(new URL(response, own)) as Uint8Array<ArrayBuffer>) }]
    })
}

/** What the items of a request say, whoever wrote them down. Thoughts are compared where they are encrypted. */
export const saidIn = (items: readonly JsonObject[]): readonly JsonValue[] =>
  items.flatMap((item): JsonValue[] => {
    switch (item['type'] ?? 'message') {
      case 'message':
        return item['role'] === 'system' ? [] : [{ role: item['role'], text: textOf(item['content']) }]
      case 'reasoning':
        return item['encrypted_content'] ? [{ thought: item['encrypted_content'] }] : []
      case 'function_call':
        return [{ calls: item['name'], id: item['call_id'], input: JSON.parse(String(item['arguments'])) as JsonValue }]
      case 'function_call_output':
        return [{ answers: item['call_id'], with: textOf(item['output']) }]
      default:
        return [item]
    }
  })

export function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return Array.isArray(content)
    ? (content as readonly JsonValue[]).map((part) => (isObject(part) ? String(part['text']) : '')).join('')
    : ''
}
