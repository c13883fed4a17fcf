import type { ConverseStreamTrace } from '@aws-sdk/client-bedrock-runtime'
import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonObject } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import type { GuardrailOptions } from './options.ts'

export function guardrailConfig(guardrail: GuardrailOptions | undefined): JsonObject | undefined {
  if (!guardrail) return undefined
  const { id, version, mode, redactInput, redactOutput } = guardrail
  const trace = guardrail.trace ?? (redactInput !== undefined || redactOutput !== undefined ? 'enabled' : undefined)
  return {
    guardrailIdentifier: id,
    guardrailVersion: version,
    ...(trace && { trace }),
    ...(mode && { streamProcessingMode: mode }),
  }
}

/** What is to be replaced, by what the guardrail found: only what it blocked, not what it masked or let through. */
export function redactions(trace: ConverseStreamTrace | undefined, guardrail: GuardrailOptions | undefined): readonly ModelEvent[] {
  const { inputAssessment, outputAssessments } = trace?.guardrail ?? {}
  const { redactInput, redactOutput } = guardrail ?? {}
  return [
    ...(redactInput !== undefined && isBlocked(inputAssessment)
      ? [{ type: 'redaction', target: 'input', replacement: redactInput } as const]
      : []),
    ...(redactOutput !== undefined && isBlocked(outputAssessments)
      ? [{ type: 'redaction', target: 'output', replacement: redactOutput } as const]
      : []),
  ]
}

/** A finding stands deep in the assessment of its policy, of which there are many kinds. */
function isBlocked(assessment: unknown): boolean {
  if (Array.isArray(assessment)) return assessment.some(isBlocked)
  if (!isObject(assessment)) return false
  return (assessment['action'] === 'BLOCKED' && assessment['detected'] !== false) || Object.values(assessment).some(isBlocked)
}
