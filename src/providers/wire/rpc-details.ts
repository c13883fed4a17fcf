import { isObject } from '../../util/json.ts'

/** What the details of an error of a Google API say beside its message. */
export type RpcDetails = {
  /** Why, and which quota: `API_KEY_INVALID`, `GenerateRequestsPerDayPerProjectPerModel`. */
  readonly codes: readonly string[]
  /** How long to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
}

export function rpcDetails(details: unknown): RpcDetails {
  const all = Array.isArray(details) ? (details as unknown[]).filter(isObject) : []
  const quotas = all.flatMap(({ violations }) => (Array.isArray(violations) ? (violations as unknown[]).filter(isObject) : []))
  const codes = [...all.map(({ reason }) => reason), ...quotas.map(({ quotaId }) => quotaId)].filter((code) => typeof code === 'string')
  // As protobuf writes a duration: "34.4s".
  const seconds = all
    .map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(typeof retryDelay === 'string' ? retryDelay : '')?.[1])
    .find((found) => found !== undefined)
  return { codes, retryAfterMs: seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000) }
}
