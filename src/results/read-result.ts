import type { ToolRegistry } from '../tools/registry.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'
import type { ResultReader, ResultStore } from './result-store.ts'

type ReadResultInput = { readonly path: string; readonly offset?: number | undefined; readonly limit?: number | undefined }

const toolName = 'read_result'
const defaultLimit = 20_000
const maxLimit = 100_000

/**
 * The tool `read_result`: some characters of a stored result, for agents that have no tool to open its path with.
 *
 * Reads only what the store holds. Bounds its own result by `limit`, and takes no part in the result budget: what it reads
 * would be stored again, for ever.
 */
export function readResultTool(store: ResultStore): Tool<ReadResultInput, Promise<ToolOutcome>> {
  return {
    name: toolName,
    description: `Reads a result that was too long to show and was stored, by the path that its persisted-output reference gives. \
Shows ${defaultLimit} characters from "offset" on and says how many are left.`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'The path, exactly as the reference gives it.' },
        offset: { type: 'integer', minimum: 0, description: 'Characters to pass over. Default: 0.' },
        limit: { type: 'integer', minimum: 1, maximum: maxLimit, description: `Characters to show at most. Default: ${defaultLimit}.` },
      },
      required: ['path'],
    },
    isReadOnly: true,
    isConcurrencySafe: true,
    maxResultChars: Infinity,
    async run({ path, offset = 0, limit = defaultLimit }, { signal }) {
      if (!Number.isInteger(offset) || offset < 0)
        throw new Error(`offset must be a whole number of at least 0, got ${offset}: it counts the characters to pass over.`)
      if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
        throw new Error(`limit must be a whole number from 1 to ${maxLimit}, got ${limit}.`)
      const page = await store.read(path, { offset, limit, signal })
      if (page.text === '' && page.chars > 0) throw new Error(`offset=${offset} is past the end: the result has ${page.chars} characters.`)
      const next = page.offset + page.text.length
      const rest = next < page.chars ? `${page.chars - next} are left: go on with offset=${next}.` : 'This is its end.'
      // In a block of its own before the text: whatever the text says, it cannot be taken for this.
      const note = `[Characters ${page.offset} to ${next} of ${page.chars}. ${rest}]`
      return {
        status: 'success',
        content: [
          { type: 'text', text: note },
          { type: 'text', text: page.text },
        ],
      }
    },
  }
}

/**
 * The tool that an agent reads stored results with: one of its own that can open the store's paths and does not have its result
 * stored again, else `read_result`, which is added if it is missing.
 *
 * @returns `undefined` when the name is taken by a tool that models would mix up with it.
 */
export function readerFor(store: ResultStore, tools: Pick<ToolRegistry, 'get' | 'add'>): ResultReader | undefined {
  const own = store.readers?.find(({ name }) => tools.get(name)?.maxResultChars === Infinity)
  if (own) return own
  try {
    if (!tools.get(toolName)) tools.add(readResultTool(store))
    return { name: toolName, offset: 'character' }
  } catch {
    return undefined
  }
}
