// Bodies, parts and reasons against the types of the official SDK. Types alone: not a line of it is loaded.
import type {
  BlockedReason,
  Candidate,
  Content,
  FinishReason,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  GenerationConfig,
  Part,
  SafetySetting,
  Tool,
  ToolConfig,
} from '@google/genai'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import type { GoogleOptions } from '../../../src/providers/google/index.ts'
import { answerTo, assistant, bodyOf, called, history, result, user } from './support/ask.ts'
import { ends, parts, saying, sse, text } from './support/sse.ts'

/** A type of the SDK as it stands on the wire: its enums are strings there. */
type Wire<Value> = Value extends string ? `${Value}` : Value extends object ? { [Key in keyof Value]: Wire<Value[Key]> } : Value
/** What `streamGenerateContent` takes. The SDK spreads it over its own parameters. */
type Body = Wire<{
  contents: Content[]
  systemInstruction?: Content
  tools?: Tool[]
  toolConfig?: ToolConfig
  safetySettings?: SafetySetting[]
  generationConfig?: GenerationConfig
}>
type Case = readonly [name: string, asked: Partial<ModelRequest>, expected: Body, id?: string, options?: GoogleOptions]

const hello = { role: 'user', parts: [{ text: 'hello' }] }
const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } }
const wireLook = {
  functionDeclarations: [
    { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object', properties: { at: { type: 'number' } } } },
  ],
} satisfies Wire<Tool>
const png = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
const gemini3 = 'gemini-3.1-pro'

const cases: readonly Case[] = [
  [
    'texts, pictures and documents',
    {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: history(
        user(
          'see',
          png,
          { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://a.example/b.png' } },
          { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'AA==' } },
          { type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'note' }, title: 'Paper' },
        ),
      ),
    },
    {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'see' },
            { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/b.png' } },
            { inlineData: { mimeType: 'application/pdf', data: 'AA==' } },
            { text: 'Paper:\n\nnote' },
          ],
        },
      ],
    },
  ],
  [
    'what was thought, calls made together, and results of each kind',
    {
      tools: [look],
      messages: history(
        user('go'),
        assistant(
          { type: 'reasoning', text: 'hm', provider: { google: { thoughtSignature: 'S1' } } },
          called('a', 'look', { id: 'fc_1', thoughtSignature: 'S2' }),
          called('b'),
        ),
        user(result('a'), { type: 'tool_result', toolUseId: 'b', status: 'error', content: [{ type: 'text', text: 'Error: late' }, png] }),
      ),
    },
    {
      tools: [wireLook],
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true, thoughtSignature: 'S1' },
            { functionCall: { id: 'fc_1', name: 'look', args: { at: 1 } }, thoughtSignature: 'S2' },
            { functionCall: { id: 'b', name: 'look', args: { at: 1 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'fc_1', name: 'look', response: { result: 'done' } } },
            {
              functionResponse: {
                id: 'b',
                name: 'look',
                response: { error: 'Error: late\n[image, image/png: attachment 1 behind the results]' },
              },
            },
            { text: 'Attachment 1:' },
            { inlineData: { mimeType: 'image/png', data: 'AA==' } },
          ],
        },
      ],
    },
    gemini3,
  ],
  [
    'settings, thinking by level, an output with a schema, and what the user adds',
    {
      output: { name: 'place', schema: { type: 'object', properties: { city: { type: 'string' } } } },
      settings: {
        maxTokens: 99,
        temperature: 0.5,
        topP: 0.9,
        stopSequences: ['END'],
        thinking: { effort: 'low' },
        extra: { generationConfig: { topK: 3 }, safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
      },
    },
    {
      generationConfig: {
        maxOutputTokens: 99,
        temperature: 0.5,
        topP: 0.9,
        stopSequences: ['END'],
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
        topK: 3,
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      tools: [{ googleSearch: {} }],
      contents: [hello],
    },
    gemini3,
    { apiKey: 'k', body: { tools: [{ googleSearch: {} }] } },
  ],
  [
    'thinking with a budget',
    { settings: { thinking: { budgetTokens: 2000 } } },
    { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } }, contents: [hello] },
  ],
  ...(
    [
      [{ name: 'look' }, { mode: 'ANY', allowedFunctionNames: ['look'] }],
      ['required', { mode: 'ANY' }],
      ['none', { mode: 'NONE' }],
    ] as const satisfies readonly (readonly [ModelRequest['toolChoice'], object])[]
  ).map(([toolChoice, { mode, ...more }]): Case => [
    `the choice of tools ${JSON.stringify(toolChoice)}`,
    { tools: [look], toolChoice },
    {
      tools: [wireLook],
      toolConfig: { functionCallingConfig: { mode, ...('allowedFunctionNames' in more && { allowedFunctionNames: ['look'] }) } },
      contents: [hello],
    },
  ]),
]

for (const [name, asked, expected, id, options] of cases)
  it(`a body with ${name} is one that the SDK would send`, async () => expect(await bodyOf(asked, id, options)).toEqual(expected))

/** What becomes of each field of a part: it goes back as it came, or it is only ever sent, or says how to show the part. */
const fields: { readonly [Field in keyof Part]-?: Wire<Part> | 'sent alone' | 'of video and sound' } = {
  text: { text: 'said' },
  thought: { text: 'hm', thought: true, thoughtSignature: 'S' },
  thoughtSignature: { text: '', thoughtSignature: 'S' },
  functionCall: { functionCall: { id: 'fc_1', name: 'look', args: { at: 1 } }, thoughtSignature: 'S' },
  inlineData: { inlineData: { mimeType: 'image/png', data: 'AA==' } },
  fileData: { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/b.pdf' } },
  executableCode: { executableCode: { id: 'c1', code: '1', language: 'PYTHON' }, thoughtSignature: 'S' },
  codeExecutionResult: { codeExecutionResult: { id: 'c1', outcome: 'OUTCOME_OK', output: '1' } },
  toolCall: { toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { q: 1 } }, thoughtSignature: 'S' },
  toolResponse: { toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', response: { r: 1 } } },
  functionResponse: 'sent alone',
  mediaResolution: 'sent alone',
  partMetadata: 'sent alone',
  speechMetadata: 'sent alone',
  mediaProcessing: 'of video and sound',
  videoMetadata: 'of video and sound',
  audioTranscription: 'of video and sound',
}
describe('a part', () => {
  const samples = Object.entries(fields).flatMap(([field, sample]) => (typeof sample === 'string' ? [] : [[field, sample] as const]))
  it.each(samples)('with the field %s goes back as it came', async (_field, sample) => {
    const { message } = await answerTo(sse(parts({ ...sample } as JsonObject), ends('STOP')))
    const { contents } = await bodyOf({ messages: history(user('go'), assistant(...message!.content), user('on')) }, gemini3)
    const back: unknown = contents[1]!.parts
    expect(back).toEqual([sample])
  })
})

const reasons: { readonly [Reason in `${FinishReason}`]: string } = {
  STOP: 'end_turn',
  MAX_TOKENS: 'max_tokens',
  CONTINUATION: 'max_tokens',
  SAFETY: 'content_filtered',
  RECITATION: 'content_filtered',
  LANGUAGE: 'content_filtered',
  BLOCKLIST: 'content_filtered',
  PROHIBITED_CONTENT: 'content_filtered',
  SPII: 'content_filtered',
  ESCALATION: 'content_filtered',
  MODEL_ARMOR: 'content_filtered',
  IMAGE_SAFETY: 'content_filtered',
  IMAGE_PROHIBITED_CONTENT: 'content_filtered',
  IMAGE_RECITATION: 'content_filtered',
  FINISH_REASON_UNSPECIFIED: 'no end',
  OTHER: 'an error, try again',
  MALFORMED_FUNCTION_CALL: 'an error, try again',
  UNEXPECTED_TOOL_CALL: 'an error, try again',
  TOO_MANY_TOOL_CALLS: 'an error, try again',
  MALFORMED_RESPONSE: 'an error, try again',
  IMAGE_OTHER: 'an error, try again',
  NO_IMAGE: 'an error, try again',
  MISSING_THOUGHT_SIGNATURE: 'an error',
  PUP_LIMITED_DISABLED: 'an error',
}
it.each(Object.entries(reasons))('the reason %s is %s here', async (reason, ours) => {
  const { message, error } = await answerTo(sse(ends(reason, text('said'))))
  const retryable = (error as { readonly retryable?: boolean } | undefined)?.retryable
  const seen = message ? message.stopReason : String(error).includes(`"${reason}"`) ? `an error${retryable ? ', try again' : ''}` : 'no end'
  expect(seen).toBe(ours)
})

const blocked: { readonly [Reason in `${BlockedReason}`]: 'content_filtered' | 'end_turn' } = {
  BLOCKED_REASON_UNSPECIFIED: 'end_turn',
  SAFETY: 'content_filtered',
  OTHER: 'content_filtered',
  BLOCKLIST: 'content_filtered',
  PROHIBITED_CONTENT: 'content_filtered',
  IMAGE_SAFETY: 'content_filtered',
  MODEL_ARMOR: 'content_filtered',
  JAILBREAK: 'content_filtered',
}
it.each(Object.entries(blocked))('a prompt that is blocked for %s ends with %s', async (blockReason, ours) => {
  const chunk: JsonObject = { promptFeedback: { blockReason }, modelVersion: 'gemini-test' }
  const { message } = await answerTo(ours === 'end_turn' ? sse(chunk) + saying('said') : sse(chunk))
  expect(message?.stopReason).toBe(ours)
})

/** The fields of an answer that are read here; the others say nothing of what was said. */
const read = [
  'candidates',
  'modelVersion',
  'responseId',
  'promptFeedback',
  'usageMetadata',
] as const satisfies readonly (keyof GenerateContentResponse)[]
const readOfCandidate = [
  'index',
  'content',
  'finishReason',
  'finishMessage',
  'groundingMetadata',
  'citationMetadata',
] as const satisfies readonly (keyof Candidate)[]

it('a whole answer is read under the names of the SDK', async () => {
  const usageMetadata = {
    promptTokenCount: 10,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 5,
    toolUsePromptTokenCount: 3,
    totalTokenCount: 38,
  } satisfies Partial<GenerateContentResponseUsageMetadata>
  const candidate = {
    index: 0,
    content: { role: 'model', parts: [{ text: 'said' }] },
    finishReason: 'STOP',
    groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title: 't' } }] },
    citationMetadata: { citations: [{ startIndex: 0, endIndex: 4, uri: 'https://b.example' }] },
  } satisfies Wire<Candidate>
  const chunk = { responseId: 'r1', modelVersion: 'gemini-test', candidates: [candidate], usageMetadata }
  expect(read).toEqual(expect.arrayContaining(Object.keys(chunk)))
  expect(readOfCandidate).toEqual(expect.arrayContaining(Object.keys(candidate)))
  const { message } = await answerTo(sse(chunk))
  expect(message).toMatchObject({
    content: [
      {
        type: 'text',
        text: 'said',
        citations: [
          { title: 't', url: 'https://a.example' },
          { url: 'https://b.example', start: 0, end: 4 },
        ],
      },
    ],
    usage: { inputTokens: 13, outputTokens: 25, cacheReadTokens: 4, reasoningTokens: 5 },
  })
})
