/** Why the model ended its message. */
export type ModelStopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'content_filtered'
  | 'guardrail_intervened'
  | 'refusal'
  | 'pause_turn'
  | 'context_window_exceeded'

/** Why the run ended. */
export type StopReason =
  | Exclude<ModelStopReason, 'tool_use' | 'max_tokens' | 'pause_turn'>
  | 'limit_turns'
  | 'limit_total_tokens'
  | 'limit_output_tokens'
  | 'limit_cost'
  | 'limit_time'
  | 'cancelled'
  | 'interrupt'
  | 'checkpoint'
