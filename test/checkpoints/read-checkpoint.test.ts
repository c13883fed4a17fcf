import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../src/errors.ts'
import { CheckpointError } from '../../src/errors.ts'
import { readCheckpoint } from '../../src/checkpoints/read-checkpoint.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import { throughJson } from '../flows/interrupts/support/waiting.ts'
import { fc } from '../support/fast-check.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look, toolNamed } from '../support/tools.ts'

const tools = [look(), toolNamed('write', ({ at }) => `written ${at}`, { needsApproval: true })]
const calls = { calls: [1, 2, 3].map((at) => ({ name: at === 1 ? 'look' : 'write', input: { at } })) }

/** One that has something in each of its fields. */
async function saved() {
  const { agent } = makeAgent([calls], { tools, state: { seen: { deep: [1, null] } } })
  const stopped = await agent.invoke('go')
  const again = await agent.invoke([answer(stopped.interrupts[0]!, true)])
  return throughJson(again.checkpoint!)
}

describe('readCheckpoint', () => {
  it('gives what was saved, frozen', async () => {
    const checkpoint = await saved()
    const read = readCheckpoint(checkpoint)
    expect(read).toEqual(checkpoint)
    expect([checkpoint.interrupts.length, checkpoint.results.length, Object.keys(checkpoint.answers).length]).toEqual([1, 2, 1])
    expect(Object.isFrozen(read.state['seen'])).toBe(true)
  })

  it.each([
    [undefined, 'must be the `checkpoint` of a result'],
    ['{}', 'must be the `checkpoint` of a result'],
    [{ type: 'checkpoint' }, 'has no version: expected 1'],
    [{ type: 'checkpoint', version: '1' }, 'has no version: expected 1'],
    [{ type: 'checkpoint', version: 0 }, 'has version 0, which this Lena cannot read any more'],
    [{ type: 'checkpoint', version: 2 }, 'has version 2, and this Lena reads up to 1'],
  ])('refuses %j', (value, said) => {
    expect(() => readCheckpoint(value)).toThrow(said)
    expect(() => readCheckpoint(value)).toThrow(CheckpointError)
  })

  it('says of a newer one what to do, by its code', () => {
    expect(() => readCheckpoint({ type: 'checkpoint', version: 7 })).toThrow(
      expect.objectContaining({ code: 'checkpoint_too_new' }) as Error,
    )
  })

  it('brings an older one up, version by version', async () => {
    const { conversationId, ...old } = await saved()
    const read = readCheckpoint({ ...old, version: -1, talk: conversationId }, 'It', {
      [-1]: ({ talk, ...rest }) => ({ ...rest, version: 0, conversation: talk }),
      0: ({ conversation, ...rest }) => ({ ...rest, version: 1, conversationId: conversation }),
    })
    expect(read.conversationId).toBe(conversationId)
  })

  it('names the field that is damaged, whichever it is', async () => {
    const checkpoint = await saved()
    for (const field of Object.keys(checkpoint).filter((key) => key !== 'type' && key !== 'version')) {
      const { [field]: _left, ...rest } = checkpoint as unknown as Record<string, unknown>
      for (const value of [rest, { ...rest, [field]: null }, { ...rest, [field]: 7 }])
        expect(() => readCheckpoint(value)).toThrow(`is damaged: its \`${field}\``)
    }
  })

  it('says which sub-agent a damaged one belongs to', async () => {
    const checkpoint = await saved()
    expect(() => readCheckpoint({ ...checkpoint, children: { call_7: { type: 'checkpoint', version: 1 } } })).toThrow('sub-agent call_7')
  })
})

/** All places in a JSON value. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

function withAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>
  if (rest.length === 0 && put === undefined) delete copy[key]
  else copy[key] = withAt(copy[key], rest, put)
  return copy
}

describe('a checkpoint that was damaged anywhere', () => {
  it('is refused at the door with a clear error, or resumed to a stop; never anything else', async () => {
    const checkpoint = await saved()
    const places = placesIn(checkpoint).filter((path) => path.length > 0)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.constantFrom<unknown>(undefined, null, 7, -1, '', 'x', true, [], {}, [null], [{}], { x: 1 }),
        async (path, put) => {
          const damaged = withAt(checkpoint, path, put)
          const { agent } = makeAgent([{ text: 'Done.' }], { tools })
          const messages = agent.messages
          const ended = await agent.invoke({ type: 'resume', checkpoint: damaged as typeof checkpoint }).then(
            ({ stopReason }) => stopReason,
            (error: AgentError) => error,
          )
          if (typeof ended === 'string') return
          expect([path.join('.'), ended.name, ended.message]).toEqual([path.join('.'), 'CheckpointError', ended.message])
          expect(agent.messages).toBe(messages)
        },
      ),
    )
  })
})
