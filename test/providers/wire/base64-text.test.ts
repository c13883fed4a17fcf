// A text document whose base64 is none must not break each later request of its history.
import { expect, it } from 'vitest'
import type { Message } from '../../../src/messages/message.ts'
import { normalise } from '../../../src/messages/normalise.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { wires } from '../../flows/public-bugs/support/wires.ts'
import { environment, useOwnEnvironment } from '../bedrock/support/env.ts'
import { answer, request } from '../support/answer.ts'

useOwnEnvironment()
environment()

const documentOf = (data: string) =>
  normalise(
    freezeOwn({
      id: 'm',
      role: 'user',
      content: [{ type: 'document', mediaType: 'text/markdown', source: { type: 'base64', data } }],
    }) as unknown as Message,
  )

const inMemory = wires.filter(({ name }) => name !== 'Converse')

it.each(
  inMemory.flatMap((wire) =>
    [
      ['# Größe', '# Größe'],
      [Buffer.from('# Größe').toString('base64'), '# Größe'],
      [Buffer.from('ÿþ?>').toString('base64url'), 'ÿþ?>'],
    ].map(([data, text]) => ({ name: wire.name, wire, data: data!, text: text! })),
  ),
)('$name sends $data as $text', async ({ wire, data, text }) => {
  let body = ''
  const model = wire.model({
    fetch: async (_url, init) => {
      body = new TextDecoder().decode(init!.body as Uint8Array)
      return new Response(wire.answer('ok'), { headers: { 'content-type': wire.contentType } })
    },
  })
  const { error } = await answer(model, request({ messages: [documentOf(data)] }))
  expect([error, body.includes(JSON.stringify(text))]).toEqual([undefined, true])
})
