import { describe, expect, it } from 'vitest'
import { HistoryBody } from '../../../src/providers/wire/history-body.ts'

type Item = { readonly name: string }
const item = (name: string): Item => ({ name })

/** A body maker that counts how often each item was serialised. */
function counted(): {
  readonly body: HistoryBody<Item>
  readonly counts: Map<string, number>
  readonly send: (items: readonly Item[], head?: string) => string
} {
  const counts = new Map<string, number>()
  const body = new HistoryBody<Item>((message, previous) => {
    counts.set(message.name, (counts.get(message.name) ?? 0) + 1)
    return message.name === '' ? '' : JSON.stringify(previous ? `${message.name}<${previous.name}` : message.name)
  })
  const send = (items: readonly Item[], head = '['): string => {
    const { bytes, release } = body.lease(head, items, ']')
    const text = new TextDecoder().decode(bytes)
    release()
    return text
  }
  return { body, counts, send }
}

describe('the body of a history', () => {
  it('grows at its end, and each message is serialised once', () => {
    const { send, counts } = counted()
    const items: Item[] = []
    let before = ''
    for (let turn = 0; turn < 50; turn++) {
      items.push(item(`é${turn}`), item(`答${turn}`))
      const text = send([...items])
      expect(JSON.parse(text)).toEqual(items.map(({ name }, index) => (index === 0 ? name : `${name}<${items[index - 1]!.name}`)))
      expect(text.startsWith(before)).toBe(true)
      before = text.slice(0, -1)
    }
    expect([...counts.values()]).toEqual(new Array(100).fill(1))
  })

  it('may be empty, and may begin with a value of the head', () => {
    const { send } = counted()
    const [a, b] = [item('a'), item('b')]
    expect(send([])).toBe('[]')
    expect(send([a, b], '["head"')).toBe('["head","a","b<a"]')
    expect(send([a], '[')).toBe('["a"]')
  })

  it('leaves out what makes nothing', () => {
    const { send } = counted()
    expect(send([item(''), item('a'), item(''), item('b')])).toBe('["a<","b<"]')
  })

  it('is written anew from where the history differs', () => {
    const { send, counts } = counted()
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(item) as [Item, Item, Item, Item, Item]
    send([a, b])
    expect(send([a, b, c])).toBe('["a","b<a","c<b"]')
    expect(send([a, b, d])).toBe('["a","b<a","d<b"]')
    expect(send([a, e])).toBe('["a","e<a"]')
    expect(send([a])).toBe('["a"]')
    expect(send([a, b, c])).toBe('["a","b<a","c<b"]')
    expect(Object.fromEntries(counts)).toEqual({ a: 1, b: 1, c: 1, d: 1, e: 1 })
  })

  it('serialises a message again when another stands before it', () => {
    const { send } = counted()
    const [a, b, c] = ['a', 'b', 'c'].map(item) as [Item, Item, Item]
    expect(send([a, b, c])).toBe('["a","b<a","c<b"]')
    expect(send([a, c])).toBe('["a","c<a"]')
  })

  it('loses its first messages without the others being serialised again', () => {
    const { send, counts } = counted()
    const items = Array.from({ length: 40 }, (_, index) => item(index % 5 === 3 ? '' : `m${index}`))
    // As two agents on one model: what is asked in between is another conversation.
    const other = [item('other')]
    for (let from = 0; from + 10 <= items.length; from++) {
      const sent = items.slice(from, from + 10)
      const named = sent.map(({ name }, index) => (index === 0 ? name : name && `${name}<${sent[index - 1]!.name}`)).filter(Boolean)
      expect(JSON.parse(send(sent))).toEqual(named)
      if (from % 7 === 0) send(other)
    }
    // Once, and once more as the first, where nothing stands before it; four times another conversation came in between.
    const again = [...counts].filter(([name]) => name !== '' && name !== 'other').map(([, count]) => count)
    expect(Math.max(...again)).toBeLessThanOrEqual(2 + 5)
    expect(counts.get('other')).toBe(1)
    expect(again.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2 * 40 + 5 * 10)
  })

  it('changes with the head', () => {
    const { send, counts } = counted()
    const [a, b] = [item('a'), item('b')]
    expect(send([a, b], '[1')).toBe('[1,"a","b<a"]')
    expect(send([a, b], '[2')).toBe('[2,"a","b<a"]')
    expect([...counts.values()]).toEqual([1, 1])
  })

  it('of many conversations at once are never mixed up', () => {
    const { send } = counted()
    const conversations = Array.from({ length: 200 }, (_, index) => [item(`first ${index}`)])
    for (let turn = 0; turn < 5; turn++) {
      for (const items of conversations) {
        expect(JSON.parse(send(items))).toEqual(items.map(({ name }, index) => (index === 0 ? name : `${name}<${items[index - 1]!.name}`)))
        items.push(item(`${items[0]!.name} turn ${turn}`))
      }
    }
  })
})

describe('bytes that were lent', () => {
  it('do not change until they are released, though the conversation goes on, or goes on in two ways', () => {
    const { body } = counted()
    const [a, b, c] = ['a', 'b', 'c'].map(item) as [Item, Item, Item]
    const read = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
    const first = body.lease('[', [a], ']')
    const second = body.lease('[', [a, b], ']')
    const third = body.lease('[', [a, c], ']')
    expect([first, second, third].map(({ bytes }) => read(bytes))).toEqual(['["a"]', '["a","b<a"]', '["a","c<a"]'])
  })

  it('are used again after that', () => {
    const { body } = counted()
    const [a, b] = [item('a'), item('b')]
    const first = body.lease('[', [a], ']')
    first.release()
    const second = body.lease('[', [a, b], ']')
    expect(second.bytes.buffer).toBe(first.bytes.buffer)
  })

  it('are left behind when they are too few', () => {
    const { send } = counted()
    const items = [item('x'.repeat(3000))]
    expect(send(items)).toBe(JSON.stringify([items[0]!.name]))
    items.push(item('é'.repeat(100_000)))
    expect(JSON.parse(send(items))).toEqual([items[0]!.name, `${items[1]!.name}<${items[0]!.name}`])
  })
})
