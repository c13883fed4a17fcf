export { Agent } from './agent/agent.ts'
export type { AgentOptions } from './agent/agent-options.ts'
export type { CallOptions } from './agent/direct-call.ts'
export type { DirectCalls } from './agent/direct-calls.ts'
export type { AgentEvent, AgentEventOf } from './agent/events.ts'
export type { OutputOf, OutputOptions } from './output/output-options.ts'
export type { AsToolOptions } from './agent/as-tool.ts'
export { Budget } from './agent/budget.ts'
export type { BudgetLimits, Spent } from './agent/budget.ts'
export type { AgentHandle } from './agent/handle.ts'
export type { InvokeOptions } from './agent/invoke-options.ts'
export type { Limits } from './agent/limits.ts'
export type { RunMetrics, ToolMetrics } from './agent/metrics.ts'
export { AgentResult } from './agent/result.ts'
export { AgentStream } from './agent/stream.ts'
export type { TraceNode } from './agent/trace.ts'

export {
  AgentError,
  AuthenticationError,
  CheckpointError,
  ConcurrentInvocationError,
  ContentFilterError,
  ContextOverflowError,
  HookError,
  IdempotencyError,
  IncompleteStreamError,
  InputError,
  InterruptError,
  InvalidRequestError,
  MaxTokensError,
  ModelError,
  ModelNotFoundError,
  NetworkError,
  NotYetError,
  OutputError,
  OverloadedError,
  RepeatedFailureError,
  ScheduleError,
  SessionError,
  StreamError,
  ThrottledError,
  ToolDefinitionError,
  ToolNotFoundError,
  WorkerError,
} from './errors.ts'
export type { PartialRun } from './errors.ts'

export type { Checkpoint, GivenAnswer, ResumeInput } from './checkpoints/checkpoint.ts'
export { answer } from './interrupts/interrupt.ts'
export type { ApprovalAnswer, Interrupt, InterruptRequest, InterruptResponse } from './interrupts/interrupt.ts'

export { compact } from './context/compact.ts'
export type { Compacted, CompactView } from './context/compact.ts'
export type { ContextManager, ContextView } from './context/context-manager.ts'
export { contextManagers } from './context/context-managers.ts'
export { estimateTokens } from './context/estimate-tokens.ts'
export { offloadResults } from './context/offload-results.ts'
export type { OffloadResultsOptions } from './context/offload-results.ts'
export { slidingWindow } from './context/sliding-window.ts'
export type { SlidingWindowOptions } from './context/sliding-window.ts'
export { summarising } from './context/summarising.ts'
export type { SummarisingOptions } from './context/summarising.ts'
export { truncateResults } from './context/truncate-results.ts'
export type { TruncateResultsOptions } from './context/truncate-results.ts'

export type { HookEvent, HookName, Hooks, Plugin, Stages, ToolCallRequest } from './hooks/hooks.ts'

export { check } from './messages/check.ts'
export type { TranscriptBreach } from './messages/check.ts'
export { document, image, text, textOf } from './messages/content.ts'
export type {
  AssistantBlock,
  CachePointBlock,
  Citation,
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  JsonBlock,
  MediaSource,
  ProviderData,
  ReasoningBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ToolResultBlock,
  ToolResultCode,
  ToolResultContent,
  ToolUseBlock,
  UserBlock,
} from './messages/content.ts'
export type { AgentInput } from './messages/from-input.ts'
export type { AssistantMessage, Message, MessageInput, MessageMetadata, UserMessage } from './messages/message.ts'
export { repair } from './messages/repair.ts'
export type { ModelStopReason, StopReason } from './messages/stop-reason.ts'
export type { Usage } from './messages/usage.ts'

export { modelInfo, pricesOf } from './models/catalogue.ts'
export type { ModelCatalogue, ModelInfo } from './models/catalogue.ts'
export { costOf } from './models/catalogue/prices.ts'
export type { ModelPrices, PriceTable, TokenPrices } from './models/catalogue/prices.ts'
export { providers } from './models/catalogue/providers.ts'
export type { ProviderInfo } from './models/catalogue/providers.ts'
export { findLocalServers, pickLocalModel } from './models/local-servers.ts'
export type { FindLocalServersOptions, LocalServer, LocalServerName } from './models/local-servers.ts'
export type { EventBase, MessageEvent } from './models/message-events.ts'
export type { BlockDelta, BlockStart, ModelEvent } from './models/model-events.ts'
export type {
  Model,
  ModelAbilities,
  ModelChoice,
  ModelName,
  ModelRequest,
  ModelSettings,
  ModelStreamOptions,
  ToolChoice,
  ToolSpec,
} from './models/model.ts'

export type { RetryOptions } from './models/retry-policy.ts'

export { memoryResults } from './results/memory-results.ts'
export type { MemoryResultsOptions } from './results/memory-results.ts'
export type { OwnResultStore, ResultPage, ResultReader, ResultStore, StoredResult } from './results/result-store.ts'

export type { KeptMessages } from './sessions/compaction.ts'
export type { SessionEntry, SessionRecord } from './sessions/entry.ts'
export type { SessionBranch } from './sessions/log.ts'
export { memorySessions } from './sessions/memory-sessions.ts'
export type { RestoredSession } from './sessions/restore.ts'
export { Session } from './sessions/session.ts'
export type { SessionOptions } from './sessions/session.ts'
export type { OwnSessionStore, SessionInfo, SessionLog, SessionStore } from './sessions/session-store.ts'

export type { ToolFlags } from './tools/flags.ts'
export type { Gate, GateRequest, GateVerdict } from './tools/gate.ts'
export type { ToolConsumer, ToolProvider } from './tools/provider.ts'
export type { ToolRegistry, ToolSource } from './tools/registry.ts'
export { jsonSchema } from './tools/schema.ts'
export type { InferInput, InferOutput, Schema, StandardIssue, StandardResult, StandardSchema } from './tools/standard-schema.ts'
export type { Step, StepRunner } from './tools/steps.ts'
export { concurrent, scheduled, sequential } from './tools/strategies.ts'
export type { ScheduledCall, ScheduleView, ToolStrategy } from './tools/strategies.ts'
export { toolsOf } from './tools/method.ts'
export type { MethodDecorator, MethodDefinition } from './tools/method.ts'
export { tool } from './tools/tool.ts'
export type {
  ConcurrencyFlag,
  Flag,
  FunctionTool,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolOutcome,
  ToolTraits,
  WorkerToolDefinition,
} from './tools/tool.ts'
export type { WorkerContext, WorkerOptions, WorkerRun } from './tools/worker-tool.ts'

export type { Clock } from './util/clock.ts'
export type { IdKind, Ids } from './util/ids.ts'
export type { JsonObject, JsonValue } from './util/json.ts'
export type { JsonSchema } from './util/json-schema.ts'
