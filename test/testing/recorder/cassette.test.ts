import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openai } from 'lena-agent/openai'
import { CassetteError, countingIds, fakeClock, formatCassette, parseCassette, recorder, scriptedModel } from 'lena-agent/testing'
import { Agent, InputError } from 'lena-agent'
import { afterAll, describe, expect, it } from 'vitest'
import { chunk, chunks } from '../../providers/support/fake-fetch.ts'
import { look } from '../../support/tools.ts'
import { agentOn } from './support/twice.ts'

const folder = mkdtempSync(join(tmpdir(), 'cassettes-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a cassette', () => {
  it('is lines of JSON: what the run did, and what came to it, in order', async () => {
    const clock = fakeClock(1000)
    const tape = recorder({ ids: countingIds(), clock })
    const agent = agentOn(tape, {
      model: scriptedModel([
        { type: 'block_delta', index: 0, delta: { type: 'text', text: 'Hi.' } },
        { type: 'message_stop', stopReason: 'end_turn' },
      ]),
    })
    await agent.invoke('go')
    const request = {
      sameMessages: 0,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
      fields: { system: [], tools: [], toolChoice: 'auto', settings: {} },
    }
    const lines = formatCassette(tape.cassette)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type?: string })
    expect(lines.filter(({ type }) => type !== 'now')).toEqual([
      { format: 'lena-cassette', version: 1 },
      { type: 'model', model: { provider: 'scripted', id: 'scripted' } },
      { type: 'id', kind: 'conversation', value: 'conv_1' },
      { type: 'id', kind: 'message', value: 'msg_1' },
      { type: 'id', kind: 'invocation', value: 'inv_1' },
      { type: 'id', kind: 'message', value: 'msg_2' },
      { type: 'model_start', call: 1, model: 'scripted', request },
      { type: 'model_event', call: 1, event: { type: 'block_delta', index: 0, delta: { type: 'text', text: 'Hi.' } } },
      { type: 'model_event', call: 1, event: { type: 'message_stop', stopReason: 'end_turn' } },
      { type: 'sleep', sleep: 1, ms: 2000 },
      { type: 'model_end', call: 1 },
    ])
  })

  it('has of each request what the one before did not say', async () => {
    const tape = recorder()
    const agent = agentOn(
      tape,
      { model: scriptedModel({ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Seen.' }), tools: [look()] },
      { instructions: 'Be kind.' },
    )
    await agent.invoke('go')
    const [, second] = tape.cassette.entries.filter((entry) => entry.type === 'model_start')
    expect(second!.request).toMatchObject({ sameMessages: 1, fields: {} })
    expect(second!.request.messages.length).toBe(2)
  })

  it('has no key and no header', async () => {
    const server = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'x-secret': 'of-the-server' })
        .end(chunks(chunk({ content: 'Hi.' }), chunk({}, 'stop'))),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const tape = recorder()
    const model = openai('m', {
      baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: 'sk-very-secret',
      headers: { 'x-mine': 'of-the-client' },
    })
    const agent = new Agent({ model: tape.model(model), clock: tape.clock, ids: tape.ids, retry: false })
    expect((await agent.invoke('go')).text).toBe('Hi.')
    server.close()
    await agent.invoke('again').catch(() => {})
    const text = formatCassette(tape.cassette)
    expect(text).toContain('"model_end"')
    expect(text).not.toMatch(/very-secret|of-the-server|of-the-client/)
  })

  it.each<[what: string, text: string, said: RegExp]>([
    ['something else', '{"name":"x"}\n', /^x\.jsonl is no cassette: its first line must be \{"format":"lena-cassette","version":1\}\.$/],
    ['nothing', '', /is no cassette/],
    [
      'a newer one',
      '{"format":"lena-cassette","version":2}\n',
      /has the version 2, and this version of lena-agent knows 1\. Record it again\.$/,
    ],
    ['a torn one', '{"format":"lena-cassette","version":1}\n{"type":"no', /is damaged: line 2 is no JSON object/],
    ['one with strange lines', '{"format":"lena-cassette","version":1}\n{}\n', /is damaged: line 2 has no type/],
  ])('is refused when it is %s', (_what, text, said) => {
    expect(() => parseCassette(text, 'x.jsonl')).toThrow(said)
    expect(() => parseCassette(text)).toThrow(CassetteError)
  })
})

describe('a recorder with a file', () => {
  const run = async (file: string, mode?: 'auto' | 'record' | 'replay', text = 'Hi.') => {
    const tape = recorder({ file, ...(mode && { mode }) })
    const agent = agentOn(tape, { model: scriptedModel({ text }) })
    const result = await agent.invoke('go')
    await tape.close()
    return [tape.mode, result.text]
  }

  it('records where there is none, and replays what is there', async () => {
    const file = join(folder, 'new', 'run.jsonl')
    expect(await run(file)).toEqual(['record', 'Hi.'])
    const before = readFileSync(file, 'utf8')
    expect(await run(file, 'auto', 'Ho.')).toEqual(['replay', 'Hi.'])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await run(file, 'record', 'Ho.')).toEqual(['record', 'Ho.'])
    expect(await run(file, 'replay', 'Hu.')).toEqual(['replay', 'Ho.'])
    expect(readdirSync(join(folder, 'new'))).toEqual(['run.jsonl'])
  })

  it('says what is missing', () => {
    const file = join(folder, 'missing.jsonl')
    expect(() => recorder({ file, mode: 'replay' })).toThrow(`there is no recording ${file}. Record it first, with mode "record".`)
    expect(() => recorder({ mode: 'replay' })).toThrow('needs the `file` or the `cassette` to replay')
    expect(() => recorder({ file, cassette: recorder().cassette })).toThrow('give `file` or `cassette`, not both')
    expect(() => recorder({ mode: 'rewind' as never })).toThrow(InputError)
    writeFileSync(file, 'x')
    expect(() => recorder({ file })).toThrow('missing.jsonl is damaged: line 1 is no JSON object')
  })
})
