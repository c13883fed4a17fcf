export { McpClient } from './client.ts'
export type { McpCallOptions, McpServerInfo } from './client.ts'
export { loadMcpConfig } from './load-config.ts'
export type { McpConfigOptions } from './load-config.ts'
export { McpError } from './mcp-error.ts'
export type { McpErrorCode } from './mcp-error.ts'
export type {
  McpAddress,
  McpAnnotations,
  McpAuth,
  McpCallback,
  McpClientOptions,
  McpClientSettings,
  McpElicitation,
  McpElicitationAnswer,
  McpLog,
  McpLogLevel,
  McpProgram,
  McpRequest,
} from './options.ts'
export type { McpPrompt, McpPrompts } from './prompts.ts'
export type { McpRequestOptions, McpResource, McpResourceContents, McpResources, McpResourceTemplate } from './resources.ts'
export { serveMcp } from './serve.ts'
export type { McpHttp, McpServed, McpService, ServeMcpOptions } from './serve.ts'
export type { McpAround, McpServedCall } from './served-calls.ts'
export type { McpTraceContext } from './served-trace-context.ts'
export { terminalAuth } from './terminal-auth.ts'
export type { McpLogin, McpLoginStore, TerminalAuth, TerminalAuthOptions } from './terminal-auth.ts'
