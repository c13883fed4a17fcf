import type { AgentEventOf } from '../index.ts'

/** Says of text that was shown that it does not count. */
export function withdrawn(reason: AgentEventOf<'message_discarded'>['reason']): string {
  const why = {
    retry: 'withdrawn, the model is asked again',
    fallback: 'withdrawn, another model is asked',
    cancelled: 'not complete: cancelled',
    error: 'not complete: the model failed',
  }[reason]
  return `[the text above is ${why}]`
}
