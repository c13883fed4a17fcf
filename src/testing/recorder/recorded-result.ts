import type { ToolOutcome } from '../../tools/tool.ts'
import { wrapResult } from '../../tools/wrap.ts'
import type { JsonValue } from '../../util/json.ts'
import type { ToolEnd } from './entries.ts'

/** What a tool returned: as JSON where the model reads the same of that, else the outcome that is made of it. */
export function endOf(value: unknown): ToolEnd {
  if (value === undefined) return {}
  const outcome = dataOf(wrapResult(value))
  try {
    const plain = JSON.parse(JSON.stringify(value)) as JsonValue
    if (JSON.stringify(dataOf(wrapResult(plain))) === JSON.stringify(outcome)) return { value: plain }
  } catch {
    // JSON cannot carry it.
  }
  return { outcome }
}

const dataOf = ({ value: _value, error: _error, ...data }: ToolOutcome): Omit<ToolOutcome, 'value' | 'error'> => data
