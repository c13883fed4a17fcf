import type { JsonSchema, JsonValue } from '../../index.ts'
import type { PermissionModeName } from '../args.ts'
import { permissionModes } from '../args.ts'
import type { SandboxOptions } from '../../toolkit/index.ts'

/** All settings by their names in the files, `permissions.mode` for `{ "permissions": { "mode": … } }`. */
export type SettingValues = {
  readonly model: string
  readonly 'permissions.mode': PermissionModeName
  readonly 'permissions.rules': readonly string[]
  readonly 'limits.turns': number
  readonly 'tools.on': readonly string[]
  readonly 'tools.off': readonly string[]
  readonly 'webSearch.provider': SearchName
  readonly sandbox: boolean | SandboxOptions
  readonly 'mcp.enabled': boolean
  readonly 'mcp.off': readonly string[]
  readonly 'instructions.file': string
  readonly 'instructions.agentsFiles': boolean
  readonly sessions: boolean
}

export const searchNames = ['duckduckgo', 'brave', 'tavily', 'exa'] as const
export type SearchName = (typeof searchNames)[number]

export type SettingName = keyof SettingValues

export type SettingRow<T> = {
  readonly help: string
  readonly schema: JsonSchema
  /** What is taken when nobody says anything. */
  readonly fallback: T | undefined
  /** The variable that goes before the files. */
  readonly variable?: string | undefined
  /** Is it a setting of the user alone, whatever a project says? */
  readonly isUsers?: boolean | undefined
  /** Lists of several files are put together; everything else is replaced. */
  readonly joins?: boolean | undefined
  /** What of a project's value holds before its folder is trusted: what takes away, never what gives. Default: nothing. */
  readonly narrowed?: ((theirs: T, ours: T | undefined) => T | undefined) | undefined
}

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
/** `example.com`, `*.example.com`, `example.com:443`. */
const host = { type: 'string', pattern: '^(\\*\\.)?[^\\s/*@:]+(:\\d+)?$' } as const

/** From the narrowest to the widest. */
const widths: readonly PermissionModeName[] = ['plan', 'default', 'accept_edits', 'bypass']
const isNarrower = (a: PermissionModeName, b: PermissionModeName): boolean => widths.indexOf(a) < widths.indexOf(b)

/** The one list that the files are checked by, and that the schema, the help and `lena config` are made of. */
export const settingTable: { readonly [K in SettingName]: SettingRow<SettingValues[K]> } = {
  model: {
    help: 'The model: offline, or provider/model.',
    schema: { ...text, examples: ['anthropic/claude-sonnet-4-6', 'ollama/qwen3:8b', 'offline'] },
    fallback: undefined,
    variable: 'LENA_MODEL',
  },
  'permissions.mode': {
    help: 'What runs without a question. A project can set no wider mode than accept_edits.',
    schema: { enum: [...permissionModes] },
    fallback: 'default',
    variable: 'LENA_MODE',
    narrowed: (theirs, ours = 'default') => (isNarrower(theirs, ours) ? theirs : undefined),
  },
  'permissions.rules': {
    help: 'Rules, such as "allow shell(npm test)", "ask web_fetch", "deny shell(git push*)". Deny goes first, then ask, then allow.',
    schema: texts,
    fallback: [],
    joins: true,
    narrowed: (theirs) => theirs.filter((rule) => !/^\s*allow\b/.test(rule)),
  },
  'limits.turns': {
    help: 'Turns of the model in one task.',
    schema: { type: 'integer', minimum: 1 },
    fallback: 200,
    variable: 'LENA_MAX_TURNS',
    narrowed: (theirs, ours = 200) => (theirs < ours ? theirs : undefined),
  },
  'tools.on': {
    help: 'Only these tools. "*" stands for any letters. Default: all.',
    schema: texts,
    fallback: undefined,
  },
  'tools.off': {
    help: 'Not these tools. "*" stands for any letters.',
    schema: texts,
    fallback: [],
    joins: true,
    narrowed: (theirs) => theirs,
  },
  'webSearch.provider': {
    help: 'Who searches the web. Keys come from the environment: BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY. Default: the first that has one, else duckduckgo.',
    schema: { enum: [...searchNames] },
    fallback: undefined,
    isUsers: true,
  },
  sandbox: {
    help: 'Do commands run in a sandbox of the system: writing in the folder alone, without a network? Where there is none, they do not run. An object lets hosts through (network), names folders that may be written in (writable), and what is not seen (hidden).',
    schema: {
      anyOf: [
        { type: 'boolean' },
        {
          type: 'object',
          properties: { network: { anyOf: [{ type: 'boolean' }, { type: 'array', items: host }] }, writable: texts, hidden: texts },
          additionalProperties: false,
        },
      ],
    },
    fallback: false,
    // Closed as it can be, whatever theirs would open.
    narrowed: (theirs) => (theirs ? true : undefined),
  },
  'mcp.enabled': {
    help: 'Are MCP servers used?',
    schema: { type: 'boolean' },
    fallback: true,
    narrowed: (theirs) => (theirs ? undefined : false),
  },
  'mcp.off': {
    help: 'MCP servers that are not used, by their names.',
    schema: texts,
    fallback: [],
    joins: true,
    narrowed: (theirs) => theirs,
  },
  'instructions.file': {
    help: 'A file of instructions in the place of the AGENTS.md beside the settings of the user. Relative to that folder.',
    schema: text,
    fallback: undefined,
    isUsers: true,
  },
  'instructions.agentsFiles': {
    help: 'Are the AGENTS.md files of the project read?',
    schema: { type: 'boolean' },
    fallback: true,
    isUsers: true,
  },
  sessions: { help: 'Are conversations kept?', schema: { type: 'boolean' }, fallback: true, isUsers: true },
}

export const settingNames = Object.keys(settingTable) as readonly SettingName[]

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingTable, name)

/** What is wrong with a value of this schema, as `expected …`, or nothing. Knows as much of JSON Schema as the table uses. */
export function expectedOf(schema: JsonSchema, value: unknown): string | undefined {
  const {
    enum: choices,
    type,
    minimum,
    minLength,
    items,
    pattern,
    anyOf,
    properties,
  } = schema as {
    readonly enum?: readonly JsonValue[]
    readonly type?: string
    readonly minimum?: number
    readonly minLength?: number
    readonly items?: JsonSchema
    readonly pattern?: string
    readonly anyOf?: readonly JsonSchema[]
    readonly properties?: Readonly<Record<string, JsonSchema>>
  }
  if (anyOf) {
    const expected = anyOf.map((each) => expectedOf(each, value))
    return expected.includes(undefined) ? undefined : expected.join(', or ')
  }
  if (properties) {
    const isMade =
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(([key, each]) => properties[key] && expectedOf(properties[key], each) === undefined)
    return isMade
      ? undefined
      : `an object of ${Object.entries(properties)
          .map(([key, each]) => `${key} (${expectedOf(each, null)})`)
          .join(', ')}`
  }
  if (choices)
    return choices.includes(value as JsonValue) ? undefined : `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  if (pattern !== undefined)
    return typeof value === 'string' && new RegExp(pattern, 'u').test(value) ? undefined : 'a host such as "*.example.com:443"'
  if (type === 'string')
    return typeof value === 'string' && value.trim().length >= (minLength ?? 0) ? undefined : 'a text that is not empty'
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false'
  if (type === 'integer')
    return Number.isSafeInteger(value) && (value as number) >= (minimum ?? -Infinity) ? undefined : `a whole number from ${minimum}`
  return Array.isArray(value) && value.every((item) => expectedOf(items!, item) === undefined)
    ? undefined
    : `a list of ${'pattern' in items! ? 'hosts such as "*.example.com:443"' : 'texts'}`
}
