import { CheckpointError } from '../errors.ts'
import type { MessageInput } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import { describe, isResultContent } from '../messages/stored.ts'
import { frozenCopy, isObject } from '../util/json.ts'
import type { Checkpoint } from './checkpoint.ts'
import { checkpointVersion } from './checkpoint.ts'

/** What brings a checkpoint of the version before up by one, by the version it begins at. */
type Migrations = { readonly [from: number]: (old: Record<string, unknown>) => Record<string, unknown> }

/** There is one version so far. */
const migrations: Migrations = {}

/**
 * A checkpoint as it came from a file or a queue, checked, copied and of this version.
 *
 * @throws {CheckpointError} for what is none, and for one of a newer version.
 */
export function readCheckpoint(value: unknown, path = 'The checkpoint', known: Migrations = migrations): Checkpoint {
  if (!isObject(value) || value['type'] !== 'checkpoint')
    throw new CheckpointError(`${path} must be the \`checkpoint\` of a result, { type: 'checkpoint', … }; got ${describe(value)}.`)
  let current: Record<string, unknown> = value
  for (;;) {
    const { version } = current
    if (version === checkpointVersion) break
    if (typeof version !== 'number' || !Number.isInteger(version))
      throw new CheckpointError(`${path} has no version: expected ${checkpointVersion}, got ${describe(version)}.`)
    if (version > checkpointVersion)
      throw new CheckpointError(
        `${path} has version ${version}, and this Lena reads up to ${checkpointVersion}. It was made by a newer one: resume it there, or update.`,
        { code: 'checkpoint_too_new' },
      )
    const migrate = known[version]
    if (!migrate) throw new CheckpointError(`${path} has version ${version}, which this Lena cannot read any more.`)
    current = migrate(current)
  }
  return shaped(current, path)
}

const fields: { readonly [field: string]: (value: unknown) => boolean } = {
  id: isText,
  position: (value) => value === 'after_model' || value === 'after_tools' || value === 'interrupt',
  messages: isHistory,
  state: isObject,
  interrupts: (value) => Array.isArray(value) && value.every(isInterrupt),
  results: (value) => Array.isArray(value) && value.every(isResult),
  answers: (value) => isObject(value) && Object.values(value).every(isAnswer),
  children: isObject,
  endTurn: (value) => value === undefined || (isObject(value) && ['string', 'undefined'].includes(typeof value['text'])),
  counters: (value) =>
    isObject(value) &&
    isCount(value['turns']) &&
    isCount(value['elapsedMs']) &&
    isObject(value['usage']) &&
    usageKeys.every((key) => isCount((value['usage'] as Record<string, unknown>)[key])),
  conversationId: isText,
}

const usageKeys = ['inputTokens', 'outputTokens', 'totalTokens'] as const

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Could a run go on from it at all? What is only not legal is put right when it is resumed. */
function isHistory(value: unknown): boolean {
  try {
    repair(value as readonly MessageInput[], { openCalls: 'keep' })
    return true
  } catch {
    return false
  }
}

function isInterrupt(value: unknown): boolean {
  if (!isObject(value)) return false
  const { id, name, path, toolUse, expiresAt } = value
  const isOfCall =
    toolUse === undefined || (isObject(toolUse) && isText(toolUse['id']) && isText(toolUse['name']) && isObject(toolUse['input']))
  return (
    isText(id) && isText(name) && Array.isArray(path) && path.every(isText) && isOfCall && (expiresAt === undefined || isCount(expiresAt))
  )
}

function isResult(value: unknown): boolean {
  if (!isObject(value) || value['type'] !== 'tool_result' || !isText(value['toolUseId'])) return false
  return (
    ['success', 'error'].includes(value['status'] as string) && Array.isArray(value['content']) && value['content'].every(isResultContent)
  )
}

function isAnswer(value: unknown): boolean {
  if (!isObject(value) || value['response'] === undefined) return false
  const { input, expired } = value
  return (input === undefined || isObject(input)) && (expired === undefined || typeof expired === 'string')
}

function shaped(value: Record<string, unknown>, path: string): Checkpoint {
  for (const [field, isRight] of Object.entries(fields))
    if (!isRight(value[field]))
      throw new CheckpointError(`${path} is damaged: its \`${field}\` is ${describe(value[field])}. Give it as it was saved.`)
  try {
    const children = Object.entries(value['children'] as object).map(([id, child]) => [
      id,
      readCheckpoint(child, `${path}, sub-agent ${id}`),
    ])
    return frozenCopy({ ...value, children: Object.fromEntries(children) }, 'checkpoint') as unknown as Checkpoint
  } catch (error) {
    if (error instanceof CheckpointError) throw error
    throw new CheckpointError(`${path} is no plain data: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
