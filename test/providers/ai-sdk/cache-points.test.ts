import { describe, expect, it } from 'vitest'
import { assistant, called, history, point, promptOf, result, user } from './support/ask.ts'

const mark = (ttl?: string): object => ({
  providerOptions: {
    anthropic: { cacheControl: { type: 'ephemeral', ...(ttl && { ttl }) } },
    bedrock: { cachePoint: { type: 'default', ...(ttl && { ttl }) } },
  },
})
const text = (said: string): object => ({ type: 'text', text: said })

describe('a cache point', () => {
  it('ends a message of the instructions, and marks it', async () => {
    const system = [text('a'), text('b'), point('1h'), text('c')] as never
    expect((await promptOf({ system })).slice(0, 2)).toEqual([
      { role: 'system', content: 'a\n\nb', ...mark('1h') },
      { role: 'system', content: 'c' },
    ])
  })

  it('marks the message when it stands at its end, and else the part before it', async () => {
    const messages = history(
      user('a', point(), 'b', point()),
      assistant(called('call_1'), called('call_2')),
      user(result('call_1', 'x'), point(), result('call_2', 'y'), point()),
    )
    const outcome = (id: string, value: string): object => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: 'look',
      output: { type: 'text', value },
    })
    const prompt = await promptOf({ messages })
    expect([prompt[0], prompt[2]]).toEqual([
      { role: 'user', content: [{ ...text('a'), ...mark() }, text('b')], ...mark() },
      { role: 'tool', content: [{ ...outcome('call_1', 'x'), ...mark() }, outcome('call_2', 'y')], ...mark() },
    ])
  })

  it('marks the message before where nothing stands before it in its own', async () => {
    const prompt = await promptOf({ messages: history(user('a'), assistant('b'), user(point(), 'c')) })
    expect(prompt).toEqual([
      { role: 'user', content: [text('a')] },
      { role: 'assistant', content: [text('b')], ...mark() },
      { role: 'user', content: [text('c')] },
    ])
  })

  it('at the very beginning marks nothing', async () => {
    const prompt = await promptOf({ system: [point()] as never, messages: history(user(point(), 'c')) })
    expect(prompt).toEqual([{ role: 'user', content: [text('c')] }])
  })

  it('is one of four at most: those of the instructions, and the newest', async () => {
    const system = [text('s'), point()] as never
    const messages = history(...[1, 2, 3, 4, 5].flatMap((n) => [user(`u${n}`, point()), assistant(`a${n}`)]))
    const prompt = await promptOf({ system, messages })
    expect(prompt.map(({ role, providerOptions }) => `${role}${providerOptions ? ' marked' : ''}`)).toEqual([
      'system marked',
      // One for each turn.
      ...[false, false, true, true, true].flatMap((marked) => [marked ? 'user marked' : 'user', 'assistant']),
    ])
    const many = await promptOf({
      system: [1, 2, 3, 4, 5].flatMap((n) => [text(`s${n}`), point()]) as never,
      messages: history(user('u', point())),
    })
    expect(many.filter(({ providerOptions }) => providerOptions).length).toBe(4)
  })
})
