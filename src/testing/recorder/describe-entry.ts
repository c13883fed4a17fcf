import type { CassetteEntry } from './entries.ts'

/** An entry as a person would call it. */
export function describeEntry(entry: CassetteEntry): string {
  switch (entry.type) {
    case 'now':
      return 'a reading of the clock'
    case 'id':
      return `a new ${entry.kind} id (${entry.value})`
    case 'sleep':
      return `sleep ${entry.sleep} (${entry.ms} ms)`
    case 'turn':
      return 'a turn of the event loop'
    case 'wake':
      return `the end of sleep ${entry.sleep}`
    case 'model':
      return `the model ${entry.model.provider}/${entry.model.id}`
    case 'model_start':
      return `model call ${entry.call} (${entry.model})`
    case 'model_event':
      return `model call ${entry.call}: ${entry.event.type}`
    case 'model_end':
      return `the end of model call ${entry.call}`
    case 'model_left':
      return `model call ${entry.call} being left (the run was cancelled, or had read enough)`
    case 'tool_start':
      return `tool run ${entry.run} (${entry.name}, ${entry.callId})`
    case 'tool_checked':
      return `check ${entry.check} of an input of ${entry.name}`
    case 'tool_progress':
      return `progress of tool run ${entry.run}`
    case 'tool_end_turn':
      return `endTurn() of tool run ${entry.run}`
    case 'tool_interrupt':
      return `the question "${entry.request.name}" of tool run ${entry.run}`
    case 'tool_end':
      return `the end of tool run ${entry.run}`
    case 'effect_start':
      return `effect ${entry.effect} (${entry.name})`
    case 'effect_end':
      return `the end of effect ${entry.effect}`
    case 'abort':
      return `signal ${entry.signal} being aborted`
    default:
      return `an entry of the unknown type ${JSON.stringify((entry as { readonly type: string }).type)}`
  }
}
