import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'vitest'
import { describe, expect, it } from 'vitest'
import { findLocalServers, pickLocalModel } from '../../src/index.ts'
import type { FindLocalServersOptions, LocalServer, LocalServerName } from '../../src/index.ts'
import { fakeClock } from '../../src/testing/index.ts'
import { deferred } from '../support/promises.ts'

type Test = Pick<TestContext, 'onTestFinished'>

/** A real server on a port of its own, which answers so. */
async function serve({ onTestFinished }: Test, answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Looks at the given ports, and at no usual one. Time stands still unless a test moves it. */
async function find(
  ports: Partial<Record<LocalServerName, number>>,
  options: FindLocalServersOptions = {},
): Promise<readonly LocalServer[]> {
  const closed = await closedPort()
  return findLocalServers({
    clock: fakeClock(),
    ports: { ollama: closed, lmstudio: closed, llamacpp: closed, vllm: closed, ...ports },
    ...options,
  })
}

const at =
  (path: string, answer: unknown): RequestListener =>
  (request, response) =>
    request.url === path ? response.end(JSON.stringify(answer)) : response.writeHead(404).end('{}')
const tags = { models: [{ name: 'qwen3:8b', size: 1 }, { name: 'nomic-embed-text:latest' }] }
const list = { object: 'list', data: [{ id: 'gemma-3', object: 'model' }] }

describe('findLocalServers', () => {
  it('gives those that answer, in a fixed order', async (test) => {
    const [vllm, lmstudio, ollama] = [
      await serve(test, at('/v1/models', list)),
      await serve(test, at('/v1/models', list)),
      await serve(test, at('/api/tags', tags)),
    ]
    expect(await find({ vllm, lmstudio, ollama })).toEqual([
      { name: 'ollama', baseURL: `http://127.0.0.1:${ollama}/v1`, models: ['qwen3:8b', 'nomic-embed-text:latest'] },
      { name: 'lmstudio', baseURL: `http://127.0.0.1:${lmstudio}/v1`, models: ['gemma-3'] },
      { name: 'vllm', baseURL: `http://127.0.0.1:${vllm}/v1`, models: ['gemma-3'] },
    ])
  })

  it('gives one without a model too', async (test) => {
    const llamacpp = await serve(test, at('/v1/models', { object: 'list', data: [] }))
    expect(await find({ llamacpp })).toEqual([{ name: 'llamacpp', baseURL: `http://127.0.0.1:${llamacpp}/v1`, models: [] }])
  })

  it('gives nothing where nobody listens', async () => expect(await find({})).toEqual([]))

  it.for<[string, RequestListener]>([
    ['a web page', (_, response) => response.end('<!doctype html><title>My app</title>')],
    ['an error with the right shape', (_, response) => response.writeHead(500).end(JSON.stringify(list))],
    ['other JSON', (_, response) => response.end('{"status":"ok"}')],
    ['a list of something else', (_, response) => response.end('{"object":"list","data":[{"title":"x"}]}')],
    ['a list with one entry that is no model', (_, response) => response.end('{"object":"list","data":[{"id":"x"},null]}')],
    ['null', (_, response) => response.end('null')],
    ['nothing', (_, response) => response.end()],
    ['a closed connection', (request) => request.socket.destroy()],
    [
      'an answer that breaks off',
      (_, response) => response.writeHead(200, { 'content-length': '100' }).write('{"object":', () => response.destroy()),
    ],
    ['too much', (_, response) => response.end(JSON.stringify({ ...list, more: 'x'.repeat(1_000_000) }))],
  ])('is not mistaken about %s', async ([, answer], test) => {
    const port = await serve(test, answer)
    expect(await find({ ollama: port, lmstudio: port, llamacpp: port, vllm: port })).toEqual([])
  })

  it('follows nobody elsewhere', async (test) => {
    const asked: string[] = []
    const other = await serve(test, (request, response) => {
      asked.push(request.url!)
      response.end(JSON.stringify(list))
    })
    const vllm = await serve(test, (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${other}/v1/models` }).end())
    expect({ found: await find({ vllm }), asked }).toEqual({ found: [], asked: [] })
  })

  it('does not wait for the silent one, and keeps the one that answered', async (test) => {
    const clock = fakeClock()
    const [asked, closed] = [deferred(), deferred()]
    const lmstudio = await serve(test, (request, response) => {
      response.write('{"object":')
      request.socket.once('close', () => closed.resolve())
      asked.resolve()
    })
    const llamacpp = await closedPort()
    const ready: typeof fetch = async (input, init) =>
      input === `http://127.0.0.1:${llamacpp}/v1/models` ? new Response(JSON.stringify(list)) : fetch(input, init)
    const finding = find({ lmstudio, llamacpp }, { clock, timeoutMs: 50, fetch: ready })
    await asked.promise
    await clock.advance(49)
    expect(clock.sleeping).toBe(1)
    await clock.advance(1)
    expect(await finding).toEqual([{ name: 'llamacpp', baseURL: `http://127.0.0.1:${llamacpp}/v1`, models: ['gemma-3'] }])
    await closed.promise
  })

  it('does not wait for a fetch that hears no signal', async () => {
    const clock = fakeClock()
    const finding = findLocalServers({ clock, fetch: () => new Promise(() => {}) })
    await clock.advance(300)
    expect(await finding).toEqual([])
  })

  it('ends with what the signal was told', async () => {
    const controller = new AbortController()
    const clock = fakeClock()
    const finding = findLocalServers({ clock, signal: controller.signal, fetch: () => new Promise(() => {}) })
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(finding).rejects.toBe(reason)
    expect(clock.sleeping).toBe(0)
    const fetch = (): never => {
      throw new Error('must not be called')
    }
    await expect(findLocalServers({ signal: controller.signal, fetch })).rejects.toBe(reason)
  })

  it('leaves no timer behind', async () => {
    const clock = fakeClock()
    await find({}, { clock })
    expect(clock.sleeping).toBe(0)
  })
})

describe('pickLocalModel', () => {
  const server = (name: LocalServerName, ...models: string[]): LocalServer => ({ name, baseURL: `http://${name}/v1`, models })
  const [empty, ollama, vllm] = [server('lmstudio'), server('ollama', 'nomic-embed-text', 'qwen3:latest'), server('vllm', 'gemma-3')]

  it.each<[string, readonly LocalServer[], string | undefined, ReturnType<typeof pickLocalModel>]>([
    ['the first that can talk', [empty, ollama, vllm], undefined, { server: ollama, id: 'qwen3:latest' }],
    ['the one that has the model', [ollama, vllm], 'gemma-3', { server: vllm, id: 'gemma-3' }],
    ['the one that has it with a tag', [vllm, ollama], 'qwen3', { server: ollama, id: 'qwen3' }],
    ['the first for a model that none lists', [ollama, vllm], 'other', { server: ollama, id: 'other' }],
    ['none without servers', [], 'other', undefined],
    ['none without a model', [empty], undefined, undefined],
    ['none that only embeds', [server('ollama', 'bge-reranker', 'mxbai-EMBED-large')], undefined, undefined],
  ])('takes %s', (_, servers, wanted, picked) => expect(pickLocalModel(servers, wanted)).toEqual(picked))
})
