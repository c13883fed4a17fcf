// What the benchmarks of turns share: one tool that costs nothing, and a model that calls it so many times. No network, and no work but Lena's own.
import { jsonSchema, tool } from 'lena-agent'

/** A tool that answers at once. `more` follows its answer. */
export const workTool = (more = '') =>
  tool({
    name: 'work',
    description: 'Does the work item i.',
    inputSchema: jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] }),
    isReadOnly: true,
    isConcurrencySafe: true,
    execute: ({ i }) => `ok:${String(i)}${more}`,
  })

const words = Array.from({ length: 14 }, (_, word) => `word${word} `)

/** Says its texts and calls the tool, each turn, and then once more without a call. `onTurn` gets the number of each request, from 0. */
export function toolModel({ turns, texts = words, onTurn = () => {} }) {
  let call = 0
  return {
    provider: 'bench',
    id: 'bench',
    async *stream() {
      onTurn(call)
      const last = call >= turns
      for (const text of texts) yield { type: 'block_delta', index: 0, delta: { type: 'text', text } }
      if (!last) {
        yield { type: 'block_start', index: 1, block: { type: 'tool_use', name: 'work' } }
        yield { type: 'block_delta', index: 1, delta: { type: 'tool_input', text: `{"i":${call}}` } }
        yield { type: 'block_stop', index: 1 }
      }
      call++
      yield { type: 'message_stop', stopReason: last ? 'end_turn' : 'tool_use' }
      yield { type: 'metadata', usage: { inputTokens: 10, outputTokens: 5 } }
    },
  }
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
