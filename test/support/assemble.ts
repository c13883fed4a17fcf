import type { AssembledMessage, AssemblerOptions } from '../../src/models/assemble.ts'
import { Assembler } from '../../src/models/assemble.ts'
import type { MessageEvent } from '../../src/models/message-events.ts'
import type { BlockDelta, BlockStart, ModelEvent } from '../../src/models/model-events.ts'
import { countingIds } from './ids.ts'

/** Model events in few words. */
export const start = (index: number, block: BlockStart): ModelEvent => ({ type: 'block_start', index, block })
export const delta = (index: number, change: BlockDelta): ModelEvent => ({ type: 'block_delta', index, delta: change })
export const said = (index: number, text: string): ModelEvent => delta(index, { type: 'text', text })
export const thought = (index: number, text: string): ModelEvent => delta(index, { type: 'reasoning', text })
export const input = (index: number, text: string): ModelEvent => delta(index, { type: 'tool_input', text })
export const stop = (index: number): ModelEvent => ({ type: 'block_stop', index })
export const end = (stopReason: (ModelEvent & { type: 'message_stop' })['stopReason'] = 'end_turn'): ModelEvent => ({
  type: 'message_stop',
  stopReason,
})
export const calling = (index: number, name: string, id?: string): ModelEvent =>
  start(index, id === undefined ? { type: 'tool_use', name } : { type: 'tool_use', name, id })

export function assembler(options: Partial<AssemblerOptions> = {}): Assembler {
  return new Assembler({
    messageId: 'm',
    provider: 'p',
    ids: countingIds(),
    base: { invocationId: 'inv', turn: 1 },
    now: () => 0,
    ...options,
  })
}

/** The message that the events make. */
export async function assemble(events: readonly ModelEvent[], options: Partial<AssemblerOptions> = {}): Promise<AssembledMessage> {
  const machine = assembler(options)
  for (const event of events) await machine.push(event)
  return machine.finish()
}

/** The events that come out of it, `message_stop` added; what all of them carry is left out. */
export async function emitted(events: readonly ModelEvent[], options: Partial<AssemblerOptions> = {}): Promise<readonly unknown[]> {
  const out: MessageEvent[] = []
  await assemble([...events, end()], { emit: (event) => void out.push(event), ...options })
  return out.map(({ invocationId: _invocation, turn: _turn, ...rest }) => {
    const { messageId: _message, ...own } = rest as typeof rest & { messageId?: string }
    return own
  })
}

/** The content alone. */
export const contentOf = async (
  events: readonly ModelEvent[],
  options: Partial<AssemblerOptions> = {},
): Promise<AssembledMessage['content']> => (await assemble([...events, end()], options)).content
