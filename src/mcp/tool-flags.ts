import type { ToolAnnotations } from '@modelcontextprotocol/client'

/** What a server says of its tool, as flags. What it does not say is taken for the worst: not read-only, destructive, not safe beside others. */
export function flagsFrom(annotations: ToolAnnotations | undefined): {
  readonly isReadOnly: boolean
  readonly isDestructive: boolean
  readonly isConcurrencySafe: boolean
} {
  const isReadOnly = annotations?.readOnlyHint === true
  return { isReadOnly, isDestructive: !isReadOnly && annotations?.destructiveHint !== false, isConcurrencySafe: isReadOnly }
}

/** May a call be sent again when nobody knows whether the first one was carried out? */
export const isRepeatable = (annotations: ToolAnnotations | undefined): boolean =>
  annotations?.readOnlyHint === true || annotations?.idempotentHint === true
