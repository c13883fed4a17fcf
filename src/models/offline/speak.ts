import { reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { tick } from '../../util/clock.ts'
import type { Usage } from '../../messages/usage.ts'
import type { ModelEvent } from '../model-events.ts'
import type { Call } from './work.ts'

export type Pace = { readonly delayMs: number; readonly clock: Clock; readonly signal: AbortSignal }

/** Pieces without a pause after which others get their turn: a signal fires from outside. */
const piecesAtOnce = 64

/** A JSON text is sent in pieces of about this length. */
const inputPiece = 24

/** A message, piece by piece: a text word by word, or the calls with their inputs. */
export async function* speak(
  message: { readonly model: string; readonly text: string; readonly calls: readonly Call[]; readonly inputTokens: number },
  pace: Pace,
): AsyncGenerator<ModelEvent, void, void> {
  const { text, calls } = message
  let index = 0
  let written = 0
  let sent = 0
  yield { type: 'message_start', model: message.model }
  if (text !== '') {
    yield { type: 'block_start', index, block: { type: 'text' } }
    for (const piece of wordsOf(text)) {
      await pause(pace, sent++)
      written += piece.length
      yield { type: 'block_delta', index, delta: { type: 'text', text: piece } }
    }
    yield { type: 'block_stop', index: index++ }
  }
  for (const { tool, input } of calls) {
    yield { type: 'block_start', index, block: { type: 'tool_use', name: tool } }
    for (const piece of piecesOf(JSON.stringify(input))) {
      await pause(pace, sent++)
      written += piece.length
      yield { type: 'block_delta', index, delta: { type: 'tool_input', text: piece } }
    }
    yield { type: 'block_stop', index: index++ }
  }
  yield { type: 'message_stop', stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' }
  yield { type: 'metadata', usage: usageOf(message.inputTokens, written) }
}

async function pause({ delayMs, clock, signal }: Pace, sent: number): Promise<void> {
  if (delayMs > 0) await clock.sleep(delayMs, signal)
  else if (sent % piecesAtOnce === piecesAtOnce - 1) await tick()
  if (signal.aborted) throw reasonOf(signal)
}

/** Words, each with the blanks before it. Joined they are the text. */
const wordsOf = (text: string): readonly string[] => text.match(/\s*\S+(?:\s+$)?/g) ?? [text]

/** Cut between whole characters. */
function piecesOf(json: string): readonly string[] {
  const characters = [...json]
  const pieces: string[] = []
  for (let at = 0; at < characters.length; at += inputPiece) pieces.push(characters.slice(at, at + inputPiece).join(''))
  return pieces
}

/** There are no tokens here; four characters are about one. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 4)

function usageOf(inputTokens: number, written: number): Usage {
  const outputTokens = tokensOf(written)
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}
