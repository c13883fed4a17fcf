/** What a `fetch` was asked for. */
export type Asked = { readonly url: string; readonly headers: Record<string, string>; readonly body: string }

export type FakeFetch = { readonly fetch: typeof globalThis.fetch; readonly asked: Asked[] }

/** A `fetch` that writes down what it is asked for and answers with this event stream. */
export function fakeFetch(answer = 'data: [DONE]\n\n'): FakeFetch {
  const asked: Asked[] = []
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    // Read at once, as the real one does.
    asked.push({
      url: String(url),
      headers: { ...(init?.headers as Record<string, string>) },
      body: new TextDecoder().decode(init?.body as Uint8Array),
    })
    return new Response(answer, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { fetch, asked }
}

/** Chunks as the body of an event stream, `[DONE]` behind them. */
export const chunks = (...values: readonly unknown[]): string =>
  [...values.map((value) => JSON.stringify(value)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')

/** A chunk that holds this delta. */
export const chunk = (delta: unknown, finish: string | null = null): unknown => ({
  id: 'c1',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
