import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { charsPerToken, estimateFrameTokens, estimateTokens, tokensWith } from '../../src/context/estimate-tokens.ts'
import type { AssistantBlock, ToolResultContent } from '../../src/messages/content.ts'
import { text } from '../../src/messages/content.ts'
import type { Message } from '../../src/messages/message.ts'
import type { JsonObject, JsonValue } from '../../src/util/json.ts'

const corpora = '../shared/corpora'
const missing = !existsSync(`${corpora}/streams/index.json`)
const openai = { provider: 'openai', id: 'gpt-5.4' }
const said = (words: string): Message => ({ id: 'm', role: 'user', content: [text(words)] })
const frame = 4

// Counted once with o200k_base, the tokens of OpenAI's models.
describe('an estimate of a text', () => {
  it.each([
    ['prose', 27, 'The process ended in the middle of a call. What it had written is kept, and what it had begun is told as unknown.'],
    [
      'code',
      51,
      'export function openerBefore(units: readonly Unit[], end: number): number {\n  for (let i = end - 1; i >= 0; i--) if (units[i]!.opens) return i\n  return -1\n}',
    ],
    [
      'JSON',
      47,
      '{"reservation_id":"XQ4T2A","flights":[{"number":"HAT136","date":"2024-05-20","price":152}],"passengers":["Omar Davis"],"total":152}',
    ],
    ['base64', 66, 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='],
    ['German', 18, 'Jede Nachricht wird aufbewahrt, auch wenn der Prozess mitten im Schreiben plötzlich endet.'],
    ['Russian', 16, 'Каждое сообщение хранится в журнале, и ничего не теряется.'],
    ['Chinese', 24, '每条消息都会保存在日志中，即使进程在写入过程中突然结束也不会丢失。'],
    ['a line of a log', 46, '2026-11-30T09:15:08.123Z 127.0.0.1 - - "GET /index.html HTTP/1.1" 200 5316 0.000021'],
  ])('of %s is at most a tenth too low', (_, counted, words) => {
    const ratio = (estimateTokens([said(words)], openai) - frame) / counted
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.5)
  })

  it('is the highest for a model that is not known', () => {
    const words = 'Some words, and {"json": [1, 2, 3]}.'
    const of = (provider: string, id: string): number => estimateTokens([said(words)], { provider, id })
    const unknown = of('somebody', 'new-model')
    for (const known of [of('openai', 'gpt-5.4'), of('google', 'gemini-3-pro')]) expect(known).toBeLessThan(unknown)
    expect(of('openrouter', 'anthropic/claude-sonnet-4-6')).toBe(of('anthropic', 'claude-haiku-4-5'))
    expect(charsPerToken(openai)).toBeGreaterThan(charsPerToken())
  })
})

it('counts what an image, a document and a sealed thought take by rule', () => {
  const of = (...content: AssistantBlock[]): number => estimateTokens([{ id: 'm', role: 'assistant', content }], openai) - frame
  expect(of({ type: 'reasoning', text: '', redacted: 'x'.repeat(600) })).toBe(100)
  expect(of({ type: 'reasoning', text: '', signature: 'x'.repeat(600) })).toBe(100)
  // The signature of a thought that can be read is no thought of its own.
  expect(of({ type: 'reasoning', text: 'hm', signature: 'x'.repeat(600) })).toBe(1)
  const media = (...content: Message['content']): number => estimateTokens([{ id: 'm', role: 'user', content } as Message], openai) - frame
  expect(media({ type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'x'.repeat(500_000) } })).toBe(1100)
  expect(media({ type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'x'.repeat(600_000) } })).toBe(20_000)
})

describe('tokens with another history', () => {
  const messages = [said('one two three '.repeat(100)), said('four')]
  it('are those of before without what went', () => {
    const gone = estimateTokens([messages[0]!], openai)
    expect(tokensWith({ messages, tokens: 10_000, model: openai }, [messages[1]!])).toBe(10_000 - gone)
  })
  it('where all was estimated too high, what went was too', () => {
    const half = Math.floor(estimateTokens(messages, openai) / 2)
    expect(tokensWith({ messages, tokens: half, model: openai }, [messages[1]!])).toBeLessThanOrEqual(5)
    expect(tokensWith({ messages, tokens: half, model: openai }, [messages[1]!])).toBeGreaterThan(0)
  })
})

type Usage = { readonly input: number; readonly output: number; readonly reasoning?: number; readonly cache_read?: number }
type Expected = {
  readonly text: string
  readonly reasoning: string
  readonly tool_calls: readonly { readonly name: string; readonly input: JsonObject }[]
  readonly usage?: Usage | null
  readonly complete: boolean
  readonly provider_blocks?: readonly string[]
  readonly redacted_blocks?: number
  readonly citations?: readonly unknown[]
  readonly signature_lengths?: readonly number[]
}
type Sample = { readonly family: string; readonly estimated: number; readonly counted: number }

const familyOf = (model: string, api: string): string =>
  /claude/.test(model) || api.startsWith('anthropic')
    ? 'claude'
    : /gemini/.test(model)
      ? 'gemini'
      : /gpt|^o\d/.test(model)
        ? 'gpt'
        : 'other'

function assistantOf({ text: words, reasoning, tool_calls }: Expected): Message {
  const content = [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(words ? [text(words)] : []),
    ...tool_calls.map(({ name, input }) => ({ type: 'tool_use' as const, id: 'x', name, input: input ?? {} })),
  ]
  return { id: 'm', role: 'assistant', content }
}

/** Recorded answers whose count is that of what can be seen. */
function answers(): readonly Sample[] {
  type Entry = { api: string; provider: string; origin: string; source: { model: string | null }; expected: Expected }
  const index = JSON.parse(readFileSync(`${corpora}/streams/index.json`, 'utf8')) as readonly Entry[]
  return index.flatMap(({ api, provider, origin, source, expected }) => {
    const { usage, complete, provider_blocks, redacted_blocks, citations, signature_lengths, tool_calls, text: words } = expected
    const hasMore =
      !!usage?.reasoning || !!provider_blocks?.length || !!redacted_blocks || !!citations?.length || !!signature_lengths?.length
    if (origin !== 'recorded' || !usage || !complete || hasMore || usage.output < 20 || (!words && tool_calls.length === 0)) return []
    const model = { provider, id: source.model ?? '' }
    return [{ family: familyOf(model.id, api), estimated: estimateTokens([assistantOf(expected)], model) - frame, counted: usage.output }]
  })
}

/** How much longer the request has become by a turn: the calls and their results. */
function turns(): readonly Sample[] {
  type Result = { readonly content: string | readonly { readonly text?: string; readonly json?: JsonValue }[] }
  type Turn = {
    readonly expected: Expected
    readonly recorded_request?: { readonly model?: string } | null
    readonly tool_results_sent_by_recorder?: readonly Result[]
  }
  type Recording = { readonly api: string; readonly provider: string; readonly turns: readonly Turn[] }
  const blocks = ({ content }: Result): readonly ToolResultContent[] =>
    typeof content === 'string'
      ? [text(content)]
      : content.map((part) => (part.text === undefined ? { type: 'json', value: part.json ?? null } : text(part.text)))
  const folder = `${corpora}/transcripts/sessions`
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.json'))
    .flatMap((name) => {
      const { api, provider, turns } = JSON.parse(readFileSync(`${folder}/${name}/session.json`, 'utf8')) as Recording
      return turns.slice(1).flatMap((next, index): readonly Sample[] => {
        const before = turns[index]!
        const results = next.tool_results_sent_by_recorder ?? []
        const [usage, later] = [before.expected.usage, next.expected.usage]
        const calls = before.expected.tool_calls.length
        if (!usage || !later || usage.reasoning || calls === 0 || results.length !== calls || later.input - usage.input < 20) return []
        const content = results.map((result) => ({
          type: 'tool_result' as const,
          toolUseId: 'x',
          status: 'success' as const,
          content: blocks(result),
        }))
        const model = { provider, id: before.recorded_request?.model ?? '' }
        const estimated = estimateTokens([assistantOf(before.expected), { id: 'n', role: 'user', content }], model)
        return [{ family: familyOf(model.id, api), estimated, counted: later.input - usage.input }]
      })
    })
}

/** All that was estimated of a family by all that was counted; and the one that was estimated lowest. */
function errorsOf(
  samples: readonly Sample[],
): Readonly<Record<string, { readonly sum: number; readonly least: number; readonly n: number }>> {
  return Object.fromEntries(
    [...new Set(samples.map(({ family }) => family))].sort().map((family) => {
      const own = samples.filter((sample) => sample.family === family)
      const total = (key: 'estimated' | 'counted'): number => own.reduce((sum, sample) => sum + sample[key], 0)
      const least = Math.min(...own.map(({ estimated, counted }) => estimated / counted))
      const rounded = (value: number): number => Math.round(value * 100) / 100
      return [family, { n: own.length, sum: rounded(total('estimated') / total('counted')), least: rounded(least) }]
    }),
  )
}

describe.skipIf(missing)(`what providers counted ${missing ? '(skipped: the corpora are not there)' : ''}`, () => {
  it('of answers and of turns is estimated like this', () => {
    expect({ answers: errorsOf(answers()), turns: errorsOf(turns()) }).toEqual({
      // The lowest of all are answers with thoughts that the provider counts and does not show.
      answers: {
        claude: { n: 11, sum: 1.08, least: 0.46 },
        gemini: { n: 2, sum: 1.3, least: 1.13 },
        gpt: { n: 6, sum: 1.17, least: 0.89 },
        other: { n: 20, sum: 1.26, least: 0.62 },
      },
      turns: {
        claude: { n: 5, sum: 1.11, least: 1.04 },
        gpt: { n: 3, sum: 1.4, least: 1.14 },
        other: { n: 6, sum: 1.25, least: 0.87 },
      },
    })
  })

  // Counted once with o200k_base.
  it.each([
    ['tau-airline.jsonl', 'assistant', 11_468],
    ['tau-airline.jsonl', 'tool', 42_100],
    ['swe-agent-marshmallow-1867.json', 'tool', 5013],
  ])('of %s, %s', (file, role, counted) => {
    const lines = readFileSync(`${corpora}/transcripts/${file}`, 'utf8').trim()
    type Recorded = { readonly messages: readonly { readonly role: string; readonly content: string | null }[] }
    const dialogues = (file.endsWith('l') ? lines.split('\n') : [lines]).map((line) => JSON.parse(line) as Recorded)
    const texts = dialogues.flatMap(({ messages }) => messages.flatMap((message) => (message.role === role ? (message.content ?? []) : [])))
    const estimated = texts.reduce((sum, words) => sum + estimateTokens([said(words)], openai) - frame, 0)
    expect(estimated / counted).toBeGreaterThan(1)
    expect(estimated / counted).toBeLessThan(1.3)
  })

  it('of the tools of a request is no surprise', () => {
    const tools = [
      { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object', properties: { x: { type: 'number' } } } },
    ]
    const frameOf = (provider: string): number => estimateFrameTokens({ system: [text('Be brief.')], tools }, { provider, id: '' })
    expect([frameOf('anthropic') > 400, frameOf('openai') < 60, estimateFrameTokens({ system: [], tools: [] })]).toEqual([true, true, 0])
  })
})
