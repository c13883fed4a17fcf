import { fc } from '../../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import type { MessageEvent } from '../../../src/models/message-events.ts'
import type { BlockDelta, BlockStart, ModelEvent } from '../../../src/models/model-events.ts'
import { assemble, delta, end, start, stop } from '../../support/assemble.ts'

/** One block as a model says it: what starts it and the text that it streams. */
type Spoken = { readonly kind: 'text' | 'reasoning' | 'tool_input'; readonly text: string }

const spoken: fc.Arbitrary<Spoken> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1, unit: 'grapheme' }) }),
  fc.record({ kind: fc.constant('reasoning' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({
    kind: fc.constant('tool_input' as const),
    text: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  }),
)
const message = fc.array(spoken, { minLength: 1, maxLength: 5 })

const startOf = ({ kind }: Spoken, index: number): BlockStart =>
  kind === 'tool_input' ? { type: 'tool_use', name: `tool${index}`, id: `id${index}` } : { type: kind }
const pieceOf = ({ kind }: Spoken, text: string): BlockDelta => ({ type: kind, text })

const plainly = (blocks: readonly Spoken[]): readonly ModelEvent[] => [
  ...blocks.flatMap((block, index) => [start(index, startOf(block, index)), delta(index, pieceOf(block, block.text)), stop(index)]),
  end(),
]

/** The same message as another server might send it: cut anywhere, interleaved, with empty pieces, with stops or without. */
const somehow = (blocks: readonly Spoken[]): fc.Arbitrary<readonly ModelEvent[]> =>
  fc
    .tuple(
      fc.array(fc.array(fc.nat(200), { maxLength: 6 }), { minLength: blocks.length, maxLength: blocks.length }),
      fc.array(fc.boolean(), { minLength: blocks.length, maxLength: blocks.length }),
      fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }),
    )
    .map(([cuts, stops, picks]) => {
      const streams = blocks.map((block, index) => {
        const at = [...new Set([0, ...cuts[index]!.filter((cut) => cut < block.text.length), block.text.length])].sort((a, b) => a - b)
        const pieces = at.slice(1).map((until, i) => block.text.slice(at[i], until))
        return [
          ...pieces.flatMap((piece) => [delta(index, pieceOf(block, piece)), delta(index, pieceOf(block, ''))]),
          ...(stops[index] ? [stop(index)] : []),
        ]
      })
      const events: ModelEvent[] = [{ type: 'message_start' }]
      // Starts keep their order, which is the order of the blocks; all else may come in any order between them.
      let started = 0
      for (let i = 0; started < blocks.length || streams.some((rest) => rest.length > 0); i++) {
        const open = streams.slice(0, started).filter((rest) => rest.length > 0)
        const pick = picks[i % picks.length]! % (open.length + (started < blocks.length ? 1 : 0))
        if (pick < open.length) events.push(open[pick]!.shift()!)
        else events.push(start(started, startOf(blocks[started]!, started++)))
      }
      return [...events, end()]
    })

describe('the same message, however it is cut and interleaved', () => {
  it('is the same message', async () => {
    await fc.assert(
      fc.asyncProperty(
        message.chain((blocks) => fc.tuple(fc.constant(blocks), somehow(blocks))),
        async ([blocks, events]) => {
          expect(await assemble(events)).toEqual({ ...(await assemble(plainly(blocks))), timeToFirstTokenMs: 0 })
        },
      ),
    )
  })
})

const anyEvent: fc.Arbitrary<ModelEvent> = fc.nat(3).chain((index) =>
  fc.oneof(
    fc
      .constantFrom<BlockStart>(
        { type: 'text' },
        { type: 'reasoning' },
        { type: 'tool_use', name: 'a', id: 'x' },
        { type: 'server_tool_use', id: 's', name: 'w', input: {} },
      )
      .map((block) => start(index, block)),
    fc
      .constantFrom<BlockDelta>(
        { type: 'text', text: 'a' },
        { type: 'text', text: '' },
        { type: 'reasoning', text: 'b' },
        { type: 'reasoning', signature: 's' },
        { type: 'tool_input', text: '{}' },
        { type: 'tool_input', text: ' ' },
        { type: 'citation', citation: { title: 'T' } },
        { type: 'provider', data: { x: 1 } },
      )
      .map((change) => delta(index, change)),
    fc.constant(stop(index)),
  ),
)

describe('whatever a server sends', () => {
  const idOf = (event: MessageEvent): string | undefined =>
    'blockId' in event ? event.blockId : 'callId' in event ? event.callId : undefined

  it('every block starts once, ends once, and says nothing before or after', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 30 }), async (events) => {
        const open = new Set<string>()
        const ended = new Set<string>()
        const emit = (event: MessageEvent): void => {
          const id = idOf(event)!
          if (event.type.endsWith('_start')) {
            expect(open.has(id) || ended.has(id)).toBe(false)
            open.add(id)
          } else {
            expect(open.has(id)).toBe(true)
            if (!event.type.endsWith('_end')) return
            open.delete(id)
            ended.add(id)
          }
        }
        await assemble([...events, end()], { emit })
        expect(open).toEqual(new Set())
      }),
    )
  })

  it('the text that was told is the text of the message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 30 }), async (events) => {
        const told: Record<string, string> = { text: '', reasoning: '' }
        const { content } = await assemble([...events, end()], {
          emit: (event) =>
            void (event.type === 'text_delta'
              ? (told['text'] += event.text)
              : event.type === 'reasoning_delta' && (told['reasoning'] += event.text)),
        })
        const inMessage = (type: 'text' | 'reasoning'): string => content.map((block) => (block.type === type ? block.text : '')).join('')
        expect([inMessage('text'), inMessage('reasoning')]).toEqual([told['text'], told['reasoning']])
      }),
    )
  })

  it('listening changes nothing of the message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 30 }), async (events) => {
        expect(await assemble([...events, end()], { emit: () => {}, partialInput: true })).toEqual(await assemble([...events, end()]))
      }),
    )
  })
})
