import type { JsonObject } from '../../../../src/util/json.ts'

/** Events as the API sends them. */
export const sse = (...chunks: readonly JsonObject[]): string => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')

/** A chunk with these parts. */
export const parts = (...list: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { parts: list, role: 'model' }, index: 0 }],
  modelVersion: 'gemini-test',
  responseId: 'r1',
})
/** The last chunk, with these parts. */
export const ends = (finishReason = 'STOP', ...list: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { parts: list, role: 'model' }, finishReason, index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, totalTokenCount: 8 },
  modelVersion: 'gemini-test',
  responseId: 'r1',
})
export const text = (said: string, thoughtSignature?: string): JsonObject => ({
  text: said,
  ...(thoughtSignature !== undefined && { thoughtSignature }),
})
export const thought = (said: string, thoughtSignature?: string): JsonObject => ({ ...text(said, thoughtSignature), thought: true })
export const call = (name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject => ({ functionCall: { name, args }, ...more })
/** A piece of a call. */
export const piece = (functionCall: JsonObject, more: JsonObject = {}): JsonObject => ({ functionCall, ...more })

/** A whole answer that says one thing. */
export const saying = (said: string): string => sse(ends('STOP', text(said)))
