import { notNeeded, onAbort, reasonOf, settleOrAbort } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { systemClock } from '../util/clock.ts'
import { InputError } from '../errors.ts'
import { aClock, aFunction, anObject, aSignal, checkOptions, milliseconds } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'

export type LocalServerName = 'ollama' | 'lmstudio' | 'llamacpp' | 'vllm'

/** A server of models on this machine. */
export type LocalServer = {
  /** Also the provider in the names of its models: `ollama/qwen3`. */
  readonly name: LocalServerName
  /** Where its OpenAI-compatible API is. */
  readonly baseURL: string
  /** The ids of the models that it has, in its own order. */
  readonly models: readonly string[]
}

export type FindLocalServersOptions = {
  readonly signal?: AbortSignal | undefined
  /** How long the servers have to answer, all together, in milliseconds. Default 300. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Other ports than the usual ones: 11434 for Ollama, 1234 for LM Studio, 8080 for llama.cpp, 8000 for vLLM. */
  readonly ports?: Partial<Readonly<Record<LocalServerName, number>>> | undefined
  readonly clock?: Clock | undefined
}

const rules: RulesOf<FindLocalServersOptions> = {
  signal: aSignal,
  timeoutMs: milliseconds,
  fetch: aFunction,
  ports: anObject,
  clock: aClock,
}

type Kind = {
  readonly name: LocalServerName
  readonly port: number
  readonly path: string
  /** The ids in its answer, or nothing when it is not the answer of such a server. */
  readonly read: (answer: unknown) => readonly string[] | undefined
}

/** `{ "models": [{ "name": "qwen3:8b" }] }` */
const tags = (answer: unknown): readonly string[] | undefined => (isObject(answer) ? idsOf(answer['models'], 'name') : undefined)

/** `{ "object": "list", "data": [{ "id": "qwen3" }] }` */
const list = (answer: unknown): readonly string[] | undefined =>
  isObject(answer) && answer['object'] === 'list' ? idsOf(answer['data'], 'id') : undefined

const kinds: readonly Kind[] = [
  { name: 'ollama', port: 11434, path: '/api/tags', read: tags },
  { name: 'lmstudio', port: 1234, path: '/v1/models', read: list },
  { name: 'llamacpp', port: 8080, path: '/v1/models', read: list },
  { name: 'vllm', port: 8000, path: '/v1/models', read: list },
]

/** No list of models is as long: whatever says more is something else. */
const longestAnswer = 1_000_000

/**
 * Looks for servers of models on this machine: asks the usual ports of 127.0.0.1 side by side and gives those that answer as
 * such a server does. Whatever else listens there is passed over. Nothing leaves the machine.
 *
 * @returns the servers, in the order Ollama, LM Studio, llama.cpp, vLLM. Never rejects because of a server.
 * @throws what the signal was told.
 */
export async function findLocalServers(options: FindLocalServersOptions = {}): Promise<readonly LocalServer[]> {
  checkOptions('findLocalServers', options, rules)
  const { signal, timeoutMs = 300, fetch = globalThis.fetch, ports = {}, clock = systemClock } = options
  if (signal?.aborted) throw reasonOf(signal)
  const asking = new AbortController()
  const timer = new AbortController()
  const release = signal && onAbort(signal, () => asking.abort(signal.reason))
  // Ends the requests when the time is up, and when all have answered.
  void clock.sleep(timeoutMs, timer.signal).then(() => asking.abort(notNeeded))
  try {
    const found = await Promise.all(
      kinds.map(async ({ name, port, path, read }): Promise<LocalServer | undefined> => {
        const origin = `http://127.0.0.1:${ports[name] ?? port}`
        const answer = await settleOrAbort(askForJson(origin + path, fetch, asking.signal), asking.signal)
        const models = answer?.ok ? read(answer.value) : undefined
        return models && { name, baseURL: `${origin}/v1`, models }
      }),
    )
    if (signal?.aborted) throw reasonOf(signal)
    return found.filter((server) => server !== undefined)
  } finally {
    release?.()
    timer.abort(notNeeded)
  }
}

/** The model to talk to: the one that was asked for, where a server has it; else the first of the first server that has any. */
export function pickLocalModel(
  servers: readonly LocalServer[],
  wanted?: string,
): { readonly server: LocalServer; readonly id: string } | undefined {
  if (!Array.isArray(servers))
    throw new InputError(`pickLocalModel(): expected the servers that \`await findLocalServers()\` gives, got ${describe(servers)}.`)
  if (wanted !== undefined) {
    // Ollama's names end in a tag, which may be left out.
    const server = servers.find(({ models }) => models.includes(wanted) || models.includes(`${wanted}:latest`)) ?? servers[0]
    return server && { server, id: wanted }
  }
  for (const server of servers as readonly LocalServer[]) {
    const id = server.models.find((name) => !speechless.test(name))
    if (id !== undefined) return { server, id }
  }
  return undefined
}

/** Models that give numbers, not words. */
const speechless = /embed|rerank/i

/** Undefined, and rejected, when there is no JSON. Others may be slow or endless: the signal ends that. */
async function askForJson(url: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<unknown> {
  // A redirect would lead to somebody else.
  const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    return undefined
  }
  const decoder = new TextDecoder()
  let text = ''
  // Leaving the loop ends the transport.
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > longestAnswer) return undefined
  }
  return JSON.parse(text + decoder.decode())
}

function idsOf(entries: unknown, field: string): readonly string[] | undefined {
  if (!Array.isArray(entries)) return undefined
  const ids = entries.map((entry: unknown) => (isObject(entry) ? entry[field] : undefined))
  return ids.every((id) => typeof id === 'string' && id !== '') ? (ids as readonly string[]) : undefined
}
