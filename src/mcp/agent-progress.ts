import type { AgentEvent } from '../agent/events.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonValue } from '../util/json.ts'
import { isObject } from '../util/json.ts'

/** While a model writes it is told this often how much there is, in milliseconds. */
const everyMs = 1000

/**
 * What a caller is told of an agent that works for it: which tools begin and end, how they go, how much the model has written, and what it waits
 * for. What the tools get and give, and the text itself, it is not told.
 */
export function agentProgress(tell: (value: JsonValue) => Promise<void>, clock: Clock): (event: AgentEvent) => void {
  /** By the path of a call. */
  const names = new Map<string, string>()
  /** Characters of the message that is being written, by the path of its agent. */
  const written = new Map<string, number>()
  let wroteAt = -Infinity

  const say = (path: readonly string[], message: string): void => {
    const agents = path.map((_, index) => `${names.get(keyOf(path.slice(0, index + 1))) ?? 'an agent'}: `)
    void tell({ message: agents.join('') + message })
  }

  function hear(event: AgentEvent, path: readonly string[]): void {
    switch (event.type) {
      case 'agent_event':
        return hear(event.event, [...path, ...event.path])
      case 'message_start':
        return void written.set(keyOf(path), 0)
      case 'text_delta':
      case 'reasoning_delta': {
        const count = (written.get(keyOf(path)) ?? 0) + event.text.length
        written.set(keyOf(path), count)
        if (clock.now() - wroteAt < everyMs) return
        wroteAt = clock.now()
        return say(path, `${event.type === 'text_delta' ? 'Writes' : 'Thinks'}: ${count} characters`)
      }
      case 'retry':
        return say(path, `Asks the model again in ${Math.ceil(event.delayMs / 1000)} s: ${event.code}`)
      case 'tool_start':
        names.set(keyOf([...path, event.callId]), event.name)
        return say(path, `Calls ${event.name}`)
      case 'tool_progress':
        return say(path, `${event.name}: ${saidIn(event.value)}`)
      case 'tool_end':
        names.delete(keyOf([...path, event.callId]))
        written.delete(keyOf([...path, event.callId]))
        return say(path, `${event.name} ${event.result.status === 'error' ? 'failed' : 'ended'}`)
    }
  }
  return (event) => hear(event, [])
}

const keyOf = (path: readonly string[]): string => path.join('>')

function saidIn(value: JsonValue): string {
  if (typeof value === 'string') return value
  return isObject(value) && typeof value['message'] === 'string' ? value['message'] : JSON.stringify(value)
}
