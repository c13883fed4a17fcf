import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { counted } from './counted.ts'

export type TodoItem = {
  readonly text: string
  readonly status: 'pending' | 'in_progress' | 'done'
}

/** The plan is `agent.state.todo`, an array of items; a session and a checkpoint keep it with the rest of the state. */
const todoKey = 'todo'

const maxItems = 100
const maxChars = 500

const description = `Writes the plan of this session, which the user sees. Give the whole list each time: it takes the place of the one before. \
For work of several steps: write the steps first, set one to "in_progress" when you begin it and to "done" as soon as it is done. Not for small tasks. An empty list clears the plan.`

export type TodoResult = {
  readonly status: 'success'
  /** The plan as text, for the model. */
  readonly content: string
  readonly structuredContent: { readonly todo: readonly TodoItem[] }
}

/**
 * The tool `todo`: the plan of the session, up to 100 items of 500 characters.
 *
 * It is kept in the agent's state, told as progress while the call runs (`{ todo: [...] }`), and is the structured content of the result.
 */
export function todo() {
  return tool({
    name: 'todo',
    description,
    inputSchema: jsonSchema<{ readonly todo: readonly TodoItem[] }>({
      type: 'object',
      properties: {
        todo: {
          type: 'array',
          maxItems,
          description: 'The whole plan, in order.',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string', minLength: 1, maxLength: maxChars, description: 'What is to be done, in one line.' },
              status: { type: 'string', enum: ['pending', 'in_progress', 'done'] },
            },
            required: ['text', 'status'],
          },
        },
      },
      required: ['todo'],
    }),
    // Nothing but the plan changes. Not safe beside others, so that no plan is taken from a message that is withdrawn.
    isReadOnly: true,
    isConcurrencySafe: false,
    execute: async ({ todo: given }, context): Promise<TodoResult> => {
      const items = checked(given)
      context.state[todoKey] = items
      await context.progress({ todo: items })
      return { status: 'success', content: textOf(items), structuredContent: { todo: items } }
    },
  })
}

/** A copy with what belongs to an item alone. @throws {Error} for what is no plan: called as a function the input is not checked before. */
function checked(given: readonly TodoItem[]): readonly TodoItem[] {
  if (!Array.isArray(given) || given.length > maxItems)
    throw new Error(`The plan must be a list of at most ${maxItems} items. Put small steps together. The plan was not changed.`)
  return given.map((item: TodoItem, index) => {
    const text = typeof item?.text === 'string' ? item.text.trim() : ''
    if (text === '' || text.length > maxChars || /[\r\n]/.test(text))
      throw new Error(`The text of item ${index + 1} must be one line of 1 to ${maxChars} characters. The plan was not changed.`)
    if (item.status !== 'pending' && item.status !== 'in_progress' && item.status !== 'done')
      throw new Error(`The status of item ${index + 1} must be "pending", "in_progress" or "done". The plan was not changed.`)
    return { text, status: item.status }
  })
}

const marks = { pending: '[ ]', in_progress: '[>]', done: '[x]' } as const

function textOf(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The plan is empty.'
  const done = items.filter(({ status }) => status === 'done').length
  return [`${done} of ${counted(items.length, 'step')} done.`, ...items.map(({ text, status }) => `${marks[status]} ${text}`)].join('\n')
}
