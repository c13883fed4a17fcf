import { CheckpointError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
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
  id: (value) => typeof value === 'string',
  position: (value) => value === 'after_model' || value === 'after_tools' || value === 'interrupt',
  messages: Array.isArray,
  state: isObject,
  interrupts: (value) => Array.isArray(value) && value.every((item) => isObject(item) && typeof item['id'] === 'string'),
  results: (value) => Array.isArray(value) && value.every((item) => isObject(item) && item['type'] === 'tool_result'),
  answers: isObject,
  children: isObject,
  counters: (value) =>
    isObject(value) && typeof value['turns'] === 'number' && isObject(value['usage']) && typeof value['elapsedMs'] === 'number',
  conversationId: (value) => typeof value === 'string' && value !== '',
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
