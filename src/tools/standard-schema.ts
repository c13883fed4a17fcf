import { describe } from '../messages/stored.ts'
import type { JsonObject } from '../util/json.ts'
import type { JsonSchema } from '../util/json-schema.ts'

/** A structural copy of Standard Schema and Standard JSON Schema (standardschema.dev), so that the core depends on no schema library. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown, options?: any) => StandardResult<Out> | Promise<StandardResult<Out>>
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: any }) => Record<string, unknown>
          readonly output: (options: { readonly target: any }) => Record<string, unknown>
        }
      | undefined
  }
}

export type StandardIssue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
export type StandardResult<Out> = { readonly value: Out; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

export type Schema<In = any, Out = any> = StandardSchema<In, Out> | JsonSchema
type TypesOf<S> = S extends { readonly '~standard': { readonly types?: infer T } } ? NonNullable<T> : undefined
export type InferInput<S> = S extends { readonly '~standard': unknown }
  ? TypesOf<S> extends { readonly input: infer I }
    ? I
    : unknown
  : JsonObject
export type InferOutput<S> = S extends { readonly '~standard': unknown }
  ? TypesOf<S> extends { readonly output: infer O }
    ? O
    : unknown
  : JsonObject

/**
 * What a schema came to, as it must be: a library, and a check that somebody wrote, may give anything.
 *
 * @throws {TypeError} that says what was expected and what came.
 */
export function checkedResult<Out>(given: StandardResult<Out>): StandardResult<Out> {
  // A list with `issues` of its own is an answer, too: that is how ArkType gives them.
  if (typeof given === 'object' && given !== null) {
    const { issues } = given
    if (issues === undefined || issues === null ? 'value' in given : areIssues(issues)) return given
  }
  throw new TypeError(
    `The schema does not say whether this is valid: validate() must give { value } or { issues: [{ message, path? }] }, got ${describe(given)}.`,
  )
}

const areIssues = (issues: unknown): boolean =>
  Array.isArray(issues) && issues.every((issue: Partial<StandardIssue> | undefined) => typeof issue?.message === 'string')
