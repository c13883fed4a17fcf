import type { ModelRequest } from '../models/model.ts'
import { frozenCopy } from '../util/json.ts'

/** One block of an answer, in the pieces in which it is to be sent. The pieces of a call are those of its input as JSON text. */
export type SceneBlock =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly pieces: readonly string[] }

/** How a request may fail: the code of the error that the model is to throw. */
export type SceneFailure = 'throttled' | 'overloaded' | 'authentication' | 'invalid_request' | 'context_overflow' | 'network'

/** What the server behind a model is to do with a request. */
export type ModelScene = {
  /** For those who have something in store for each: `answer`, `calls`, `cut_short`, `hanging`, `silent`, `broken`, or a failure. */
  readonly name: 'answer' | 'calls' | 'cut_short' | 'hanging' | 'silent' | 'broken' | SceneFailure
  /** What it says, in this order. */
  readonly blocks: readonly SceneBlock[]
  readonly stopReason: 'end_turn' | 'tool_use' | 'max_tokens'
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  /**
   * `complete`: with all that belongs there. `hangs`: nothing more comes, and the connection stays open. `breaks`: it is closed behind
   * the blocks, before the end of the message.
   */
  readonly ends: 'complete' | 'hangs' | 'breaks'
  /** It does not answer but fails so. With `network` there is no server. */
  readonly failure?: SceneFailure | undefined
}

/** Of a scene. */
export type SceneName = ModelScene['name']

const text = (...pieces: readonly string[]): SceneBlock => ({ type: 'text', pieces })
const base = { blocks: [], stopReason: 'end_turn', usage: { inputTokens: 12, outputTokens: 7 }, ends: 'complete' } as const

const failures: readonly SceneFailure[] = ['throttled', 'overloaded', 'authentication', 'invalid_request', 'context_overflow', 'network']

const all: readonly ModelScene[] = [
  { ...base, name: 'answer', blocks: [text('Grüße, ', '漢字 ', '👩‍👩‍👧 ', 'and "quotes"\n', 'data: [DONE]')] },
  {
    ...base,
    name: 'calls',
    blocks: [
      text('Let me ', 'see. '),
      { type: 'tool_use', id: 'call_a1', name: 'look', pieces: ['{"at"', ': [1, {"x"', ': "ä\\u00df😀"}]', '}'] },
      { type: 'tool_use', id: 'call_b2', name: 'write_file', pieces: ['{"path": "a.txt", ', '"text": "1\\n2"}'] },
    ],
    stopReason: 'tool_use',
  },
  { ...base, name: 'cut_short', blocks: [text('There are many ')], stopReason: 'max_tokens' },
  { ...base, name: 'hanging', blocks: [text('One ', 'two ')], ends: 'hangs' },
  { ...base, name: 'silent', ends: 'hangs' },
  { ...base, name: 'broken', blocks: [text('One ', 'two ')], ends: 'breaks' },
  ...failures.map((failure): ModelScene => ({ ...base, name: failure, failure })),
]

/** The scene of this name. */
export const sceneOf = (name: SceneName): ModelScene => all.find((scene) => scene.name === name)!

export const sceneNames: readonly SceneName[] = all.map(({ name }) => name)

const schema = { type: 'object', properties: { at: { type: 'array' }, path: { type: 'string' }, text: { type: 'string' } } }

/** A request with something of everything: instructions, tools, a call and its result. Frozen, as those of a run are. */
export const sceneRequest: ModelRequest = frozenCopy({
  system: [{ type: 'text', text: 'Be kind.' }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'What is there?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'call_0', name: 'look', input: { at: [0] } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: 'call_0', status: 'success', content: [{ type: 'text', text: 'a.txt' }] }],
    },
  ],
  tools: [
    { name: 'look', description: 'Looks.', inputSchema: schema },
    { name: 'write_file', description: 'Writes.', inputSchema: schema },
  ],
  toolChoice: 'auto',
  settings: { maxTokens: 100 },
} satisfies ModelRequest)
