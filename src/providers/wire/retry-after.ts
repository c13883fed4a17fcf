/** How long a provider asks to wait, in milliseconds: from `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = positive(headers.get('retry-after-ms'))
  if (exact !== undefined) return exact
  // Of a header that came twice, the first.
  const said = headers.get('retry-after')?.replace(/^(\s*[\d.]+\s*),.*$/, '$1') ?? null
  const seconds = positive(said)
  if (seconds !== undefined) return seconds * 1000
  if (said === null || /^\s*-/.test(said)) return undefined
  const date = Date.parse(said)
  return Number.isNaN(date) ? durationMs(said.trim()) : Math.max(0, date - now)
}

/**
 * How long it is until a spent quota is full again, in milliseconds, where the server says when that is and nothing else:
 * `X-RateLimit-Reset`, as milliseconds or seconds since the epoch. Some put the header into the body of the refusal as well, and
 * some only there. Small numbers are no times, and may mean anything.
 */
export function untilReset(get: (name: string) => string | null | undefined, now: number): number | undefined {
  const left = get('x-ratelimit-remaining')
  // Another limit was reached, and this one says nothing about it.
  if (left !== null && left !== undefined && positive(left) !== 0) return undefined
  const said = positive(get('x-ratelimit-reset') ?? null)
  if (said === undefined || said < 1e9) return undefined
  const at = said < 1e11 ? said * 1000 : said
  // One that is over: the clocks differ, and how long to wait nobody knows.
  return at > now ? at - now : undefined
}

/** How long the words of a refusal ask to wait, in milliseconds: `try again in 6m0s`, `retry in 34.4s`, `retry after 26 seconds`. */
export function waitInWords(message: string): number | undefined {
  const said = /\b(?:try again|retry|wait) (?:(?:in|after|for) )?((?:\d{1,9}(?:\.\d{1,9})? ?[a-z]{1,9} ?)+)/i.exec(
    message.slice(0, 2000),
  )?.[1]
  return said === undefined ? undefined : durationMs(said)
}

const unitsMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['sec', 1000],
  ['second', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['minute', 60_000],
  ['h', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
])

/** A length of time such as `1h2m3.5s`, `20ms` or `26 seconds`, as far as it is one. */
function durationMs(text: string): number | undefined {
  let total: number | undefined
  let end = 0
  for (const { 0: all, 1: amount, 2: unit, index } of text.toLowerCase().matchAll(/(\d+(?:\.\d+)?) ?([a-z]+) ?/g)) {
    const ms = unitsMs.get(unit!) ?? unitsMs.get(unit!.replace(/s$/, ''))
    if (ms === undefined || index !== end) break
    total = (total ?? 0) + Number(amount) * ms
    end = index + all.length
  }
  return total === undefined ? undefined : Math.ceil(total)
}

function positive(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}
