import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { fakeClock } from 'lena-agent/testing'
import { tick } from '../../src/util/clock.ts'
import { deferred, isSettled } from '../support/promises.ts'
import { refuseUnhandled } from '../support/unhandled.ts'
import { call, flood, greeting, messagesOf, modernCall, open, send, session } from '../mcp/support/raw-http.ts'
import { hello, made, overStreams, serving, waiting } from '../mcp/support/serving.ts'

refuseUnhandled()

const timeout = 60_000
const megabytes = 50 * 1024 * 1024
const text = (said: string): object => ({ content: [{ type: 'text', text: said }] })
const hi = { jsonrpc: '2.0', id: 1, result: text('Hi.') }
const refused = (code: number, message: unknown): object => ({ jsonrpc: '2.0', error: { code, message }, id: null })

describe('a client that goes in the middle of its call', { timeout }, () => {
  it.each(['without a session', 'of the newest revision'] as const)('over HTTP, %s, has it told', async (which) => {
    const { wait, begun, told } = waiting()
    const { url } = await serving([wait, hello])
    const [body, headers] = which === 'of the newest revision' ? modernCall(1, 'wait') : [call(1, 'wait'), {}]
    const exchange = open(url, 'POST', headers)
    exchange.request.end(JSON.stringify(body))
    await begun('undefined')
    exchange.request.destroy()
    await told('undefined')
    expect(messagesOf(await send(url, 'POST', call(1, 'hello')))).toEqual([hi])
  })

  it('over HTTP, in a session, has it told when it does not come back', async () => {
    const { wait, begun, told } = waiting()
    const { url } = await serving([wait, hello], { resumeMs: 50 })
    const of = await session(url)
    const exchange = open(url, 'POST', of)
    exchange.request.end(JSON.stringify(call(1, 'wait')))
    await begun('undefined')
    exchange.request.destroy()
    await told('undefined')
    expect(messagesOf(await send(url, 'POST', call(1, 'hello'), of))).toEqual([hi])
  })

  it('over streams has it told, and ends the service', async () => {
    const { wait, begun, told } = waiting()
    const { service, stdin, write } = await overStreams([wait])
    write(call(1, 'wait'))
    await begun('undefined')
    stdin.destroy()
    await expect(told('undefined')).resolves.toBeUndefined()
    await expect(service.closed).resolves.toBeUndefined()
  })

  it('and before its request is whole, does no harm', async () => {
    const { url } = await serving([hello])
    const exchange = open(url, 'POST', { 'content-length': '1000' })
    exchange.request.write('{"jsonrpc":')
    await once(exchange.request, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
    exchange.request.destroy()
    await expect(exchange.begun).rejects.toThrow('socket hang up')
    expect(messagesOf(await send(url, 'POST', call(1, 'hello')))).toEqual([hi])
  })
})

describe('a request of 50 MB', { timeout }, () => {
  it.each(['declared', 'in pieces'])('over HTTP, %s, is refused, and the next of the same connection is answered', async (how) => {
    const { url } = await serving([hello])
    const came = await flood(url, 50, how === 'declared', call(1, 'hello'))
    expect(came.match(/HTTP\/1\.1 \d+|"message":"[^"]*"|"text":"[^"]*"/g)).toEqual([
      'HTTP/1.1 413',
      '"message":"Payload Too Large: a request may have 4194304 bytes."',
      'HTTP/1.1 200',
      '"text":"Hi."',
    ])
  })

  it('is refused by its status to a client that uses fetch', async () => {
    const { url } = await serving([hello])
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const response = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(megabytes) })
    expect([response.status, await response.json()]).toEqual([
      413,
      refused(-32_000, 'Payload Too Large: a request may have 4194304 bytes.'),
    ])
  })

  it('is refused while it still comes, however long that would take', async () => {
    const { url } = await serving([hello], { maxBodyBytes: 1000 })
    const exchange = open(url, 'POST')
    exchange.request.write('x'.repeat(2000))
    expect((await exchange.begun).statusCode).toBe(413)
    exchange.request.destroy()
    await settled(exchange.answer)
  })

  it('is as long as it may be', async () => {
    const length = made('length', ({ s }) => String(String(s).length))
    const { url } = await serving([length], { maxBodyBytes: megabytes + 1000 })
    const of = await session(url)
    for (const headers of [of, {}])
      expect(messagesOf(await send(url, 'POST', call(1, 'length', { s: 'x'.repeat(megabytes) }), headers))).toEqual([
        { ...hi, result: text(String(megabytes)) },
      ])
  })

  it('over streams ends the service', async () => {
    const { service, write } = await overStreams([hello])
    write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(megabytes)}"}}`)
    await expect(service.closed).resolves.toBeUndefined()
  })
})

describe('what is no message', { timeout }, () => {
  const parseError = expect.stringContaining('Parse error') as string

  it.each([
    ['{"jsonrpc":', 'application/json', 400, refused(-32_700, parseError)],
    ['', 'application/json', 400, refused(-32_700, parseError)],
    ['{"a":1}', 'application/json', 400, { ...refused(-32_600, expect.any(String)) }],
    ['a=1', 'application/x-www-form-urlencoded', 415, refused(-32_000, expect.stringContaining('Unsupported Media Type'))],
    [JSON.stringify(greeting), 'text/plain', 415, refused(-32_000, expect.stringContaining('Unsupported Media Type'))],
  ])('is refused over HTTP: %s as %s', async (body, type, status, said) => {
    const { url } = await serving([hello])
    const answer = await send(url, 'POST', body, { 'content-type': type })
    expect([answer.status, ...messagesOf(answer)]).toEqual([status, said])
    expect(messagesOf(await send(url, 'POST', call(1, 'hello')))).toEqual([hi])
  })

  it.each([
    ...['null', '5', '"call"', '[]', '[1]', '{}'].map((body) => [body, body] as const),
    ['100,000 times [', '['.repeat(100_000)],
    ['arrays, 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000)],
  ] as const)('is refused over HTTP, in a session and without: %s', async (_, body) => {
    const { url } = await serving([hello])
    const of = await session(url)
    for (const headers of [{}, of]) {
      const answer = await send(url, 'POST', body, headers)
      expect([answer.status, messagesOf(answer)]).toMatchObject([400, [{ error: { code: expect.any(Number) as number }, id: null }]])
      expect(messagesOf(await send(url, 'POST', call(1, 'hello'), headers))).toEqual([hi])
    }
  })

  it('is refused in a session, which goes on', async () => {
    const { url } = await serving([hello])
    const of = await session(url)
    const answer = await send(url, 'POST', '{"jsonrpc":', of)
    expect([answer.status, ...messagesOf(answer)]).toEqual([400, refused(-32_700, parseError)])
    expect(messagesOf(await send(url, 'POST', call(1, 'hello'), of))).toEqual([hi])
  })

  it('is passed over in a stream', async () => {
    const { write, answer } = await overStreams([hello])
    for (const line of ['Hello!', '', '{"jsonrpc":', '{"a":1}', '[]', 'null']) write(line)
    write(call(1, 'hello'))
    expect(await answer(1)).toEqual(hi)
  })
})

describe('a page of another site', { timeout }, () => {
  const names = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example:80' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
  ]

  it.each(names)('is refused whatever it asks, and nothing is done: %j', async (headers) => {
    const done: string[] = []
    const act = made('act', () => void done.push('act'))
    const { url } = await serving([act])
    const of = { ...(await session(url)), ...headers }
    const answers = await Promise.all([
      send(url, 'POST', greeting, headers),
      send(url, 'POST', call(1, 'act'), headers),
      send(url, 'POST', call(1, 'act'), of),
      send(url, 'POST', modernCall(1, 'act')[0], { ...modernCall(1, 'act')[1], ...headers }),
      send(url, 'GET', undefined, of),
      send(url, 'DELETE', undefined, of),
      send(url, 'OPTIONS', undefined, headers),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    expect(answers.flatMap((answer) => Object.keys(answer.headers).filter((name) => /^(access-control|mcp-session)/.test(name)))).toEqual(
      [],
    )
    expect(done).toEqual([])
  })
})

describe('200 calls at once', { timeout }, () => {
  /** All are under way before the first ends. */
  function gathering() {
    const all = deferred()
    let here = 0
    return made('gather', async (input) => {
      if (++here === 200) all.resolve()
      await all.promise
      return String(input['n'])
    })
  }
  const numbers = Array.from({ length: 200 }, (_, n) => n + 1)
  const answers = numbers.map((n) => ({ jsonrpc: '2.0', id: n, result: text(String(n)) }))

  it('over HTTP have each their own answer, in one session and without', async () => {
    for (const isSession of [true, false]) {
      const { url } = await serving([gathering()])
      const of = isSession ? await session(url) : {}
      const got = await Promise.all(numbers.map((n) => send(url, 'POST', call(n, 'gather', { n }), of)))
      expect(got.flatMap(messagesOf)).toEqual(answers)
    }
  })

  it('of 200 sessions have each their own answer', async () => {
    const { url } = await serving([gathering()])
    const sessions = await Promise.all(numbers.map(() => session(url)))
    const got = await Promise.all(numbers.map((n, index) => send(url, 'POST', call(n, 'gather', { n }), sessions[index])))
    expect(got.flatMap(messagesOf)).toEqual(answers)
  })

  it('over streams have each their own answer', async () => {
    const { write, answer } = await overStreams([gathering()])
    for (const n of numbers) write(call(n, 'gather', { n }))
    expect(await Promise.all(numbers.map((n) => answer(n)))).toEqual(answers)
  })
})

const cancelled = {
  content: [{ type: 'text', text: 'The call was cancelled while it ran. It may or may not have done its work.' }],
  isError: true,
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await tick()
}

const settled = (promise: Promise<unknown>): Promise<unknown> => promise.catch(() => undefined)

describe('close() while calls run', { timeout }, () => {
  it.each(['in a session', 'without one', 'of the newest revision'] as const)(
    'over HTTP, %s, tells them, and waits for their end',
    async (which) => {
      const began = deferred()
      const done: string[] = []
      const tidy = made('tidy', (_, { signal }) => {
        began.resolve()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            done.push('told')
            void turns(5).then(() => {
              done.push('tidied')
              reject(new Error('Stopped.'))
            })
          }),
        )
      })
      const service = await serving([tidy])
      const { url } = service
      const [body, headers] =
        which === 'of the newest revision' ? modernCall(1, 'tidy') : [call(1, 'tidy'), which === 'in a session' ? await session(url) : {}]
      const exchange = open(url, 'POST', headers)
      exchange.request.end(JSON.stringify(body))
      await began.promise
      await service.close()
      expect(done).toEqual(['told', 'tidied'])
      expect(messagesOf(await exchange.answer)).toMatchObject([{ id: 1, result: cancelled }])
      await expect(send(url, 'POST', call(1, 'tidy'))).rejects.toThrow('ECONNREFUSED')
    },
  )

  it('over streams tells them', async () => {
    const { wait, begun, told } = waiting()
    const { service, write, answer } = await overStreams([wait])
    write(call(1, 'wait'))
    await begun('undefined')
    await service.close()
    expect(await answer(1)).toMatchObject({ result: cancelled })
    await expect(told('undefined')).resolves.toBeUndefined()
    await expect(service.closed).resolves.toBeUndefined()
  })

  it('waits no longer than a tool has to end', async () => {
    const clock = fakeClock()
    const began = deferred()
    const deaf = made('deaf', () => {
      began.resolve()
      return new Promise(() => {})
    })
    const service = await serving([deaf], {}, { clock })
    const exchange = open(service.url, 'POST', await session(service.url))
    exchange.request.end(JSON.stringify(call(1, 'deaf')))
    await began.promise
    const closing = service.close()
    await clock.advance(1900)
    expect(await isSettled(closing)).toBe(false)
    await clock.advance(200)
    await closing
    expect(messagesOf(await exchange.answer)).toMatchObject([{ id: 1, result: cancelled }])
    await service.closed
    expect(clock.sleeping).toBe(0)
  })

  it('may be called twice', async () => {
    const { wait, begun } = waiting()
    const service = await serving([wait])
    const exchange = open(service.url, 'POST')
    exchange.request.end(JSON.stringify(call(1, 'wait')))
    await begun('undefined')
    const [one, two] = [service.close(), service.close()]
    expect(one).toBe(two)
    await one
    expect(service.close()).toBe(one)
    await service.closed
    await settled(exchange.answer)
  })

  it('waits for no one who is around them', async () => {
    const service = await serving([hello], {}, { around: async (_, run) => (await run(), new Promise(() => {})) })
    const exchange = open(service.url, 'POST')
    exchange.request.end(JSON.stringify(call(1, 'hello')))
    await exchange.begun
    await service.close()
    await settled(exchange.answer)
    await expect(service.closed).resolves.toBeUndefined()
  })

  it('ends streams that are listened to', async () => {
    const service = await serving([hello])
    const stream = open(service.url, 'GET', await session(service.url))
    stream.request.end()
    await stream.begun
    await service.close()
    expect((await stream.answer).body).toBe('')
  })
})
