import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../../../src/util/json.ts'
import { isObject } from '../../../../src/util/json.ts'
import type { Content } from './ask.ts'

export type RecordedTurn = {
  readonly response: string
  readonly recorded_request: {
    readonly contents: readonly Content[]
    readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] } | null
    readonly tools: readonly { readonly functionDeclarations: readonly { readonly name: string; readonly description: string }[] }[]
  }
  /** All that were sent so far. */
  readonly tool_results_sent_by_recorder: readonly { readonly name: string; readonly content: JsonObject }[]
  readonly expected: {
    readonly text: string
    readonly tool_calls: readonly { readonly name: string; readonly input: JsonObject }[]
    readonly usage: { readonly input: number; readonly output: number; readonly reasoning?: number }
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

/** What the contents of a request say, whoever wrote it down: the ids of calls are the recorder's own. */
export const saidIn = (contents: readonly Content[]): readonly JsonValue[] =>
  contents.map(({ role, parts }) => ({ role, parts: parts.map(saidInPart) }))

function saidInPart(part: JsonObject): JsonValue {
  const { text, functionCall, functionResponse, thoughtSignature } = part
  const signed = thoughtSignature === undefined ? {} : { signed: thoughtSignature }
  if (isObject(functionCall)) return { calls: functionCall['name'] as string, args: functionCall['args'] as JsonObject, ...signed }
  if (isObject(functionResponse))
    return { answers: functionResponse['name'] as string, with: textOf(functionResponse['response'] as JsonObject) }
  return { text, ...signed }
}

/** The text of a result, which the recorders wrote in several ways. */
export function textOf({ result, return_value: value, content }: JsonObject): string {
  return Array.isArray(content) ? (content as readonly JsonObject[]).map(({ text }) => String(text)).join('') : String(result ?? value)
}
