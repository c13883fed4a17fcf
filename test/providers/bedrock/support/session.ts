import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../../../src/util/json.ts'
import type { WireMessage } from './ask.ts'

export type RecordedTurn = {
  readonly response: string
  readonly recorded_request: {
    readonly messages: readonly WireMessage[]
    readonly system?: readonly { readonly text: string }[]
    readonly toolConfig: {
      readonly tools: readonly {
        readonly toolSpec: { readonly name: string; readonly description: string; readonly inputSchema: { readonly json: object } }
      }[]
    }
  }
  readonly tool_results_sent_by_recorder: readonly {
    readonly id: string
    readonly content: readonly JsonObject[]
    readonly status: string | null
  }[]
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
      return { name, turns, answers: turns.map(({ response }) => new Uint8Array(readFileSync(new URL(response, own)))) }
    })
}

/** What the messages of a request say: a status that is no failure may be told or not. */
export const saidIn = (messages: readonly WireMessage[]): readonly JsonValue[] =>
  messages.map(({ role, content }) => ({
    role,
    content: content.map(({ toolResult, ...block }) => {
      if (!toolResult) return block
      const { status, ...result } = toolResult as JsonObject
      return { toolResult: status === 'error' ? { ...result, status } : result }
    }),
  }))
