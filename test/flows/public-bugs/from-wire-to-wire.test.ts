// A model that takes over in the middle of a turn gets what the one before said and called, without what only that one understands.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import { tool } from '../../../src/tools/tool.ts'
import * as messages from '../../providers/anthropic/support/sse.ts'
import { environment, useOwnEnvironment } from '../../providers/bedrock/support/env.ts'
import * as converse from '../../providers/bedrock/support/frames.ts'
import * as generate from '../../providers/google/support/sse.ts'
import * as responses from '../../providers/openai-responses/support/sse.ts'
import { chunk, chunks } from '../../providers/support/fake-fetch.ts'
import type { Wire } from './support/wires.ts'
import { playing, wires } from './support/wires.ts'

useOwnEnvironment()

environment()

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** A thought that is signed, a word, and a call with an id, as each wire says it. */
const signed: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  Messages: bytes(
    messages.sse(
      messages.begins(),
      messages.opens(0, { type: 'thinking', thinking: '', signature: '' }),
      messages.adds(0, { type: 'thinking_delta', thinking: 'thought' }),
      messages.adds(0, { type: 'signature_delta', signature: 'SIGNED' }),
      messages.closes(0),
      ...messages.says(1, 'word'),
      ...messages.calls(2, 'look', '{"at":7}', 'FOREIGN'),
      ...messages.ends('tool_use'),
    ),
  ),
  Responses: bytes(
    responses.sse(
      responses.begins(),
      responses.adds(0, { type: 'reasoning', id: 'FOREIGN_rs', summary: [] }),
      responses.ends(0, {
        type: 'reasoning',
        id: 'FOREIGN_rs',
        summary: [{ type: 'summary_text', text: 'thought' }],
        encrypted_content: 'SIGNED',
      }),
      responses.adds(1, responses.message('', { id: 'FOREIGN_msg' })),
      responses.says(1, 'word'),
      responses.ends(1, responses.message('word', { id: 'FOREIGN_msg' })),
      responses.adds(2, responses.call('', { name: 'look', id: 'FOREIGN_fc', call_id: 'FOREIGN' })),
      responses.ends(2, responses.call('{"at":7}', { name: 'look', id: 'FOREIGN_fc', call_id: 'FOREIGN' })),
      responses.completed(),
    ),
  ),
  'Chat Completions': bytes(
    chunks(
      chunk({ reasoning_content: 'thought' }),
      chunk({ content: 'word' }),
      chunk({ tool_calls: [{ index: 0, id: 'FOREIGN', function: { name: 'look', arguments: '{"at":7}' } }] }),
      chunk({}, 'tool_calls'),
    ),
  ),
  Gemini: bytes(
    generate.sse(
      generate.parts(generate.thought('thought', 'SIGNED'), generate.text('word')),
      generate.ends('STOP', { functionCall: { id: 'FOREIGN', name: 'look', args: { at: 7 } }, thoughtSignature: 'SIGNED' }),
    ),
  ),
  Converse: converse.frames(
    converse.begins,
    converse.adds(0, { reasoningContent: { text: 'thought' } }),
    converse.adds(0, { reasoningContent: { signature: 'SIGNED' } }),
    converse.closes(0),
    ...converse.says(1, 'word'),
    ...converse.calls(2, 'look', '{"at":7}', 'FOREIGN'),
    ...converse.ends('tool_use'),
  ),
}
const isOpenAI = (wire: string): boolean => wire === 'Responses' || wire === 'Chat Completions'
const busy = (): Response => new Response('{"message":"Overloaded."}', { status: 503, headers: { 'content-type': 'application/json' } })
const pairs = wires.flatMap((from) => wires.flatMap((to) => (from === to ? [] : [[from.name, to.name, from, to] as const])))

describe('a turn that was begun by one model', () => {
  it.each(pairs)('on %s, and is gone on with by another on %s', async (fromName, toName, from: Wire, to: Wire) => {
    const inputs: unknown[] = []
    const look = tool({
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object' },
      execute: (input) => {
        inputs.push(input)
        return 'seen'
      },
    })
    const first = playing(from, signed[from.name]!, busy)
    const second = playing(to, to.answer('done'))
    const agent = new Agent({ model: [from.model({ fetch: first.fetch }), to.model({ fetch: second.fetch })], tools: [look], retry: false })
    expect((await agent.invoke('go')).text).toBe('done')
    expect([inputs, first.bodies.length, second.bodies.length, check(agent.messages)]).toEqual([[{ at: 7 }], 2, 1, []])
    // To the one that said it, it goes back as it was.
    if (from.name !== 'Chat Completions') expect(first.bodies[1]!.text).toContain('SIGNED')
    expect(first.bodies[1]!.text.match(/"FOREIGN"/g)?.length).toBe(2)
    const { text } = second.bodies[0]!
    expect(text).toMatch(/word.*\\?"at\\?":7.*seen/)
    expect(text).not.toMatch(/SIGNED|thought"/)
    // The two protocols of one provider share their ids; nobody else is shown what another one made up.
    expect(text.includes('FOREIGN')).toBe(isOpenAI(fromName) && isOpenAI(toName))
  })
})
