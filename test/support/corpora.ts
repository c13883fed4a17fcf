import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = '../shared/corpora'

/** Why a test of the corpora is skipped, or nothing when they are there. */
export const noCorpora = existsSync(join(root, 'schemas', 'index.json')) ? undefined : `the corpora are not at ${root}`

export const readCorpus = <T>(...path: readonly string[]): T => JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T

export type SchemaCase = {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly instances: readonly { readonly value: unknown; readonly valid: boolean; readonly why: string }[]
}
export type SchemaEntry = {
  readonly id: string
  readonly file: string
  readonly features: readonly string[]
  readonly oracle_trouble?: readonly string[]
}
