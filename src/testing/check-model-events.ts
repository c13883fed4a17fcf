import type { ModelEvent } from '../models/model-events.ts'
import { isObject } from '../util/json.ts'

/** What a delta says on a block of this kind. */
const saidBy: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citation', 'provider'],
  reasoning: ['reasoning', 'provider'],
  tool_use: ['tool_input', 'provider'],
  server_tool_use: ['tool_input', 'provider'],
}

/**
 * Holds the events of one whole answer against the grammar of the port: a block has one start and one end, deltas are of its kind,
 * one `message_stop`, and behind that nothing but `metadata`. A text or a reasoning block needs no start, no block needs an end: the
 * next start or the stop of the message ends it. `[]` when all is well, else a line for each fault.
 */
export function checkModelEvents(events: readonly ModelEvent[]): readonly string[] {
  const faults: string[] = []
  const open = new Map<number, string>()
  let isStopped = false
  events.forEach((event, at) => {
    const fault = (text: string): void => void faults.push(`events[${at}] ${String((event as ModelEvent | undefined)?.type)}: ${text}`)
    if (!isObject(event)) return fault('is no object.')
    if (JSON.stringify(event) !== JSON.stringify(structuredCloneOr(event))) fault('is not plain data.')
    if (isStopped && !['metadata', 'raw', 'redaction', 'message_stop'].includes(event.type)) fault('comes behind message_stop.')
    switch (event.type) {
      case 'message_start':
        if (events.slice(0, at).some(({ type }) => type !== 'raw' && type !== 'metadata')) fault('is not the first event.')
        return
      case 'block_start':
        if (!isIndex(event.index)) return fault(`has the index ${String(event.index)}, expected 0, 1, 2, …`)
        if (open.has(event.index)) fault(`starts the block ${event.index}, which is open.`)
        if (event.block.type === 'tool_use' && !event.block.name) fault('is a call without a name.')
        open.set(event.index, event.block.type)
        return
      case 'block_delta': {
        if (!isIndex(event.index)) return fault(`has the index ${String(event.index)}, expected 0, 1, 2, …`)
        const kind = open.get(event.index)
        if (kind !== undefined) {
          if (!saidBy[kind]?.includes(event.delta.type))
            fault(`has ${event.delta.type} for the block ${event.index}, which is a ${kind} block.`)
        } else if (event.delta.type === 'tool_input') fault(`has input for the block ${event.index}, which no start has named.`)
        else if (event.delta.type === 'text' || event.delta.type === 'reasoning') open.set(event.index, event.delta.type)
        return
      }
      case 'block_stop':
        if (!open.delete(event.index)) fault(`ends the block ${String(event.index)}, which is not open.`)
        return
      case 'message_stop':
        if (isStopped) fault('comes again.')
        isStopped = true
        return
      case 'metadata':
      case 'redaction':
      case 'raw':
        return
      default:
        fault('is of no known type.')
    }
  })
  if (!isStopped) faults.push('there is no message_stop')
  return faults
}

const isIndex = (index: unknown): boolean => Number.isInteger(index) && (index as number) >= 0

/** What cannot be cloned is no data. */
function structuredCloneOr(value: object): unknown {
  try {
    return structuredClone(value)
  } catch {
    return undefined
  }
}
