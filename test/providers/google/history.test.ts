import { describe, expect, it } from 'vitest'
import { assistant, bodyOf, called, history, result, user } from './support/ask.ts'

const partsOf = async (id: string, ...content: readonly (string | object)[]): Promise<unknown> =>
  (await bodyOf({ messages: history(user('go'), assistant(...content), user('on')) }, id)).contents[1]!.parts
const signed = (block: object, google: object): object => ({ ...block, provider: { google } })
const args = { at: 1 }

describe('what the provider gave goes back to it', () => {
  it('signatures, each on its part', async () => {
    expect(
      await partsOf(
        'gemini-3.1-pro',
        signed({ type: 'reasoning', text: 'a' }, { thoughtSignature: 'S1' }),
        signed({ type: 'text', text: 'b' }, { thoughtSignature: 'S2' }),
        signed({ type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } }, { thoughtSignature: 'S3' }),
        called('call_1', 'look', { id: 'fc_1', thoughtSignature: 'S4' }),
        called('call_2', 'look', { id: 'fc_2' }),
      ),
    ).toEqual([
      { text: 'a', thought: true, thoughtSignature: 'S1' },
      { text: 'b', thoughtSignature: 'S2' },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' }, thoughtSignature: 'S3' },
      { functionCall: { id: 'fc_1', name: 'look', args }, thoughtSignature: 'S4' },
      { functionCall: { id: 'fc_2', name: 'look', args } },
    ])
  })

  it('signatures that came on a part without text', async () => {
    expect(
      await partsOf(
        'gemini-3.1-pro',
        signed({ type: 'reasoning', text: 'a' }, { thoughtSignature: 'S1', emptyPart: 'thought' }),
        signed({ type: 'text', text: 'b' }, { thoughtSignature: 'S2', emptyPart: 'text' }),
        signed({ type: 'reasoning', text: '' }, { thoughtSignature: 'S3', emptyPart: 'text' }),
        signed({ type: 'text', text: 'c' }, { thoughtSignature: 'S4', emptyPart: false }),
      ),
    ).toEqual([
      { text: 'a', thought: true },
      { text: '', thought: true, thoughtSignature: 'S1' },
      { text: 'b' },
      { text: '', thoughtSignature: 'S2' },
      { text: '', thoughtSignature: 'S3' },
      { text: 'c', thoughtSignature: 'S4' },
    ])
  })

  it('what the server ran, part for part', async () => {
    const code = { executableCode: { language: 'PYTHON', code: '1+1' }, thoughtSignature: 'S' }
    const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } }
    expect(
      await partsOf(
        'gemini-2.5-flash',
        signed({ type: 'server_tool_use', id: 's', name: 'code_execution', input: {} }, { part: code }),
        signed({ type: 'server_tool_result', toolUseId: 's', content: {} }, { part: output }),
        'two',
      ),
    ).toEqual([code, output, { text: 'two' }])
  })
})

describe('a history of other providers', () => {
  const foreign = [
    { type: 'reasoning', text: 'secret', signature: 'theirs', provider: { anthropic: { type: 'thinking' } } },
    { type: 'reasoning', text: 'plain' },
    { type: 'server_tool_use', id: 's', name: 'search', input: {}, provider: { openai: {} } },
    { type: 'server_tool_result', toolUseId: 's', content: 'r', provider: { openai: {} } },
  ]

  it('leaves out what only they understand', async () => {
    const call = { type: 'tool_use', id: 'call_1', name: 'look', input: args, provider: { openai: { id: 'call_abc' } } }
    expect(
      await partsOf(
        'gemini-2.5-flash',
        ...foreign,
        { type: 'text', text: 'said', citations: [{ url: 'u' }], provider: { openai: {} } },
        call,
      ),
    ).toEqual([{ text: 'said' }, { functionCall: { id: 'call_1', name: 'look', args } }])
  })

  it('never leaves a message empty', async () => {
    expect(await partsOf('gemini-2.5-flash', ...foreign)).toEqual([{ text: '[no content]' }])
  })

  it('gives the first of its calls what stands for a signature, where a model wants one', async () => {
    const calls = [called('call_1'), called('call_2')]
    const wire = [1, 2].map((n) => ({ functionCall: { id: `call_${n}`, name: 'look', args } }))
    expect(await partsOf('gemini-3.1-pro', 'hm', ...calls)).toEqual([
      { text: 'hm' },
      { ...wire[0], thoughtSignature: 'skip_thought_signature_validator' },
      wire[1],
    ])
    expect(await partsOf('gemini-2.5-pro', 'hm', ...calls)).toEqual([{ text: 'hm' }, ...wire])
  })
})

it('a result without its call still has a name', async () => {
  const { contents } = await bodyOf({ messages: history(user(result('call_9'))) })
  expect(contents[0]!.parts).toEqual([{ functionResponse: { id: 'call_9', name: 'INVALID_TOOL_NAME', response: { result: 'done' } } }])
})
