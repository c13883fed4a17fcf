/** How long a provider asks to wait, in milliseconds: from `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = positive(headers.get('retry-after-ms'))
  if (exact !== undefined) return exact
  const said = headers.get('retry-after')
  const seconds = positive(said)
  if (seconds !== undefined) return seconds * 1000
  const date = Date.parse(said ?? '')
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function positive(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}
