import { AgentError } from '../errors.ts'
import type { ErrorOptions } from '../errors.ts'

/**
 * Why an MCP server could not be used:
 * - `mcp_start_failed`: it did not start, could not be reached, or did not answer the first request in time
 * - `mcp_closed`: its connection ended, or the client was closed
 * - `mcp_timeout`: a request was not answered in time
 * - `mcp_unauthorized`: it wants a login
 * - `mcp_protocol`: it answered with an error, or with what is no answer
 * - `mcp_config`: a configuration file is not as it must be
 * - `package_missing`: the official library is not installed
 */
export type McpErrorCode =
  | 'mcp_start_failed'
  | 'mcp_closed'
  | 'mcp_timeout'
  | 'mcp_unauthorized'
  | 'mcp_protocol'
  | 'mcp_config'
  | 'package_missing'

export type McpErrorOptions = ErrorOptions & {
  readonly server?: string | undefined
  readonly rpcCode?: number | undefined
  readonly data?: unknown
}

/** An MCP server could not be used. `server` is the name of its client. */
export class McpError extends AgentError {
  declare readonly code: McpErrorCode
  readonly server: string | undefined
  /** Of the answer, where the server answered with an error: the protocol's code, such as -32602, and what came with it. */
  readonly rpcCode: number | undefined
  readonly data: unknown
  constructor(code: McpErrorCode, message: string, options: McpErrorOptions = {}) {
    super(message, { ...('cause' in options && { cause: options.cause }), code })
    this.server = options.server
    this.rpcCode = options.rpcCode
    this.data = options.data
  }
}
