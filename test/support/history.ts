import { fc } from './fast-check.ts'
import type { AssistantBlock, ToolResultBlock, ToolUseBlock, UserBlock } from '../../src/messages/content.ts'
import { text } from '../../src/messages/content.ts'
import type { AssistantMessage, Message, MessageInput, UserMessage } from '../../src/messages/message.ts'

/** Messages in few words: `user('hi')`, `assistant(call('a'))`, `user(result('a'))`. */
export const user = (...content: (string | UserBlock)[]): MessageInput & { readonly role: 'user' } => ({
  role: 'user',
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
})
export const assistant = (...content: (string | AssistantBlock)[]): MessageInput & { readonly role: 'assistant' } => ({
  role: 'assistant',
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
})
export const call = (id: string, name = 'add'): ToolUseBlock => ({ type: 'tool_use', id, name, input: {} })
export const result = (toolUseId: string, said = `of ${toolUseId}`): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  status: 'success',
  content: [text(said)],
})

/** The same with ids, as `check` and `normalise` take them. */
export const withIds = (messages: readonly MessageInput[]): readonly Message[] =>
  messages.map((message, index) => ({ id: `m${index}`, ...message }) as UserMessage | AssistantMessage)

/** Role and content alone: what most comparisons are about. */
export const bare = (messages: readonly Message[]): readonly MessageInput[] => messages.map(({ role, content }) => ({ role, content }))

const words = fc.constantFrom('', ' ', '\n', 'one', 'two')
const callIds = fc.constantFrom('a', 'b', 'c', 'a_2')
const texts = words.map(text)

/** Any history that can be written down, mostly illegal. Each result says something else, so that none can be mistaken for another. */
export const anyHistory: fc.Arbitrary<readonly MessageInput[]> = fc
  .array(
    fc.oneof(
      fc.record({
        role: fc.constant('user' as const),
        content: fc.array(
          fc.oneof(
            texts,
            callIds.map((id) => result(id)),
            fc.constant({ type: 'cache_point' } as const),
          ),
          { maxLength: 5 },
        ),
      }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: fc.array(
          fc.oneof(
            texts,
            callIds.map((id) => call(id)),
            fc.constant({ type: 'reasoning', text: 'hm' } as const),
          ),
          { maxLength: 5 },
        ),
      }),
    ),
    { maxLength: 10 },
  )
  .map((messages) => {
    let serial = 0
    return messages.map((message) => ({
      ...message,
      content: message.content.map((block) => (block.type === 'tool_result' ? { ...block, content: [text(`result ${serial++}`)] } : block)),
    }))
  })

type Turn = { readonly prompt: string; readonly calls: readonly number[]; readonly answer: string | undefined }

/** A legal history: prompts, turns with any number of calls, answers. */
export const legalHistory: fc.Arbitrary<readonly MessageInput[]> = fc
  .array(
    fc.record({
      prompt: fc.constantFrom('go', 'more'),
      calls: fc.array(fc.nat(3), { maxLength: 3 }),
      answer: fc.constantFrom('done', 'well'),
    }),
    { maxLength: 5 },
  )
  .map((turns: readonly Turn[]) => {
    let serial = 0
    const messages: MessageInput[] = []
    for (const { prompt, calls, answer } of turns) {
      let said: UserBlock[] = [text(prompt)]
      for (const count of calls) {
        const ids = Array.from({ length: count }, () => `c${serial++}`)
        if (ids.length === 0) continue
        messages.push(user(...said), assistant('calling', ...ids.map((id) => call(id))))
        said = ids.map((id) => result(id))
      }
      messages.push(user(...said), assistant(answer ?? ''))
    }
    return messages
  })
