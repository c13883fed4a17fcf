import { describe, expect, it } from 'vitest'
import { AuthenticationError } from '../../../src/errors.ts'
import type { GoogleOptions, VertexOptions } from '../../../src/providers/google/index.ts'
import { google } from '../../../src/providers/google/index.ts'
import { testClock } from '../../support/clock.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import type { Sent } from './support/ask.ts'
import { assistant, bodyOf, called, fetchOf, history, result, sentBy, user } from './support/ask.ts'
import { saying } from './support/sse.ts'

const at = (location: string): VertexOptions => ({ project: 'my-project', location, accessToken: 'token' })
const vertex = at('us-central1')
const urlOf = async (id: string, options: GoogleOptions): Promise<string> => (await sentBy({}, id, options)).url
const path = 'v1beta1/projects/my-project/locations'

describe('Vertex AI', () => {
  it.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com'],
    ['global', 'https://aiplatform.googleapis.com'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
  ])('in %s is %s', async (location, host) => {
    expect(await urlOf('gemini-2.5-flash', { vertex: at(location) })).toBe(
      `${host}/${path}/${location}/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    )
  })

  it('has models of others and of its own', async () => {
    expect([
      await urlOf('endpoints/123', { vertex }),
      await urlOf('publishers/x/models/y', { vertex, baseURL: 'https://gate.example/v1' }),
    ]).toEqual([
      `https://us-central1-aiplatform.googleapis.com/${path}/us-central1/endpoints/123:streamGenerateContent?alt=sse`,
      'https://gate.example/v1/projects/my-project/locations/us-central1/publishers/x/models/y:streamGenerateContent?alt=sse',
    ])
  })

  it('takes no ids of calls', async () => {
    const { contents } = await bodyOf(
      { messages: history(user('go'), assistant(called('call_1', 'look', { id: 'fc' })), user(result('call_1'))) },
      'gemini-2.5-flash',
      { vertex },
    )
    expect(contents.slice(1).map(({ parts }) => parts)).toEqual([
      [{ functionCall: { name: 'look', args: { at: 1 } } }],
      [{ functionResponse: { name: 'look', response: { result: 'done' } } }],
    ])
  })

  it('refuses options that cannot be', () => {
    expect(() => google('m', { vertex: { ...vertex, project: '' } })).toThrow(
      'google({ vertex }): expected `project` to be a name such as "my-project", got "".',
    )
    expect(() => google('m', { vertex: at('evil.example/') })).toThrow(
      'google({ vertex }): expected `location` to be a name such as "us-central1", got "evil.example/".',
    )
    expect(() => google('m', { vertex: { ...vertex, accessToken: '' } })).toThrow(
      'google({ vertex }): expected `accessToken` to be a token or a function that gives one, got string.',
    )
    expect(() => google('m', { vertex, apiKey: 'k' })).toThrow(
      'google({ vertex, apiKey }): Vertex AI takes `vertex.accessToken` and no key. Leave one of the two out.',
    )
  })
})

describe('its token', () => {
  const tokens = (accessToken: VertexOptions['accessToken'], options: GoogleOptions = {}, sent: Sent[] = []) =>
    google('m', { fetch: fetchOf(saying('hi'), sent), vertex: { ...vertex, accessToken }, ...options })

  it('is a bearer token, asked for anew each time', async () => {
    const sent: Sent[] = []
    let n = 0
    const model = tokens(async () => `token ${++n}`, {}, sent)
    await answer(model)
    await answer(model)
    expect(sent.map(({ headers }) => headers)).toEqual(
      [1, 2].map((i) => ({ 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer token ${i}` })),
    )
  })

  it.each<[name: string, source: () => string | Promise<string>, said: string]>([
    ['fails', () => Promise.reject(new Error('no login')), 'failed: no login'],
    [
      'throws',
      () => {
        throw new Error('no login')
      },
      'failed: no login',
    ],
    ['is none', () => '', 'gave no token but ""'],
  ])('that %s is an error', async (_name, source, said) => {
    const error = await errorOf(tokens(source))
    expect([error, error.message]).toEqual([expect.any(AuthenticationError), `google: \`vertex.accessToken\` ${said}.`])
  })

  it('is not waited for without end', async () => {
    const clock = testClock()
    const asking = errorOf(tokens(() => new Promise(() => {}), { clock, headersTimeoutMs: 5000 }))
    await clock.advance(5000)
    expect((await asking).message).toBe('google: `vertex.accessToken` gave nothing within 5 s (headersTimeoutMs).')
    expect(clock.sleeping()).toBe(0)
  })

  it('is not waited for when the run is given up', async () => {
    const clock = testClock()
    const controller = new AbortController()
    const asking = answer(
      tokens(() => new Promise(() => {}), { clock }),
      request(),
      { signal: controller.signal },
    )
    await clock.advance(0)
    controller.abort(new Error('enough'))
    expect([((await asking).error as Error).message, clock.sleeping()]).toEqual(['enough', 0])
  })

  it('is not asked for when the run was given up before', async () => {
    let asked = 0
    const { error } = await answer(
      tokens(() => `token ${++asked}`),
      request(),
      { signal: AbortSignal.abort(new Error('enough')) },
    )
    expect([(error as Error).message, asked]).toEqual(['enough', 0])
  })

  it('that is refused says where to look', async () => {
    const fetch = fetchOf(
      () => new Response(JSON.stringify([{ error: { code: 401, status: 'UNAUTHENTICATED', message: 'expired' } }]), { status: 401 }),
    )
    expect((await errorOf(tokens('old', { fetch }))).message).toBe('google: expired (HTTP 401). Check the option `vertex.accessToken`.')
  })
})
