import { ToolDefinitionError } from '../../errors.ts'
import type { JsonSchema } from '../../util/json-schema.ts'
import { isObject } from '../../util/json.ts'
import type { StandardIssue } from '../standard-schema.ts'
import type { Resource, SchemaDocument } from './document.ts'
import { Seen } from './seen.ts'

/** Where in the value something is; the whole path is put together only for a fault. */
export type At = { readonly key: PropertyKey; readonly parent: At } | undefined
/** The resources that the way to a schema led through, newest first. */
export type Scope = { readonly resource: Resource; readonly outer: Scope | undefined }
/** One schema and one value. */
export type Check = {
  readonly schema: JsonSchema
  readonly value: unknown
  readonly at: At
  readonly scope: Scope
  /** What was looked at so far by this schema; only when something asks. */
  readonly seen: Seen | undefined
  /** Schemas applied to this same value on the way here. */
  readonly chain: number
}
/** A keyword, with its value. False when the value does not fit. */
export type Keyword = (run: Run, expected: unknown, check: Check) => boolean

/** Far more than any honest schema takes; a few lines of JSON can ask for billions. */
const maxSteps = 5_000_000
/** A value is looked at through at most so many schemas, one referring to the next. */
const maxChain = 500

/** One validation. */
export class Run {
  readonly document: SchemaDocument
  readonly #keywords: ReadonlyMap<string, Keyword>
  readonly #prepared: Map<JsonSchema, readonly (readonly [Keyword, unknown])[]>
  /** Nobody asks what is wrong while this is undefined. */
  #issues: StandardIssue[] | undefined = []
  #steps = 0

  constructor(
    document: SchemaDocument,
    keywords: ReadonlyMap<string, Keyword>,
    prepared: Map<JsonSchema, readonly (readonly [Keyword, unknown])[]>,
  ) {
    this.document = document
    this.#keywords = keywords
    this.#prepared = prepared
  }

  start(value: unknown): readonly StandardIssue[] {
    const resource = this.document.resolve('#', rootResource(this.document))!.resource
    this.#apply({ schema: this.document.root, value, at: undefined, scope: { resource, outer: undefined }, seen: this.newSeen(), chain: 0 })
    return this.#issues!
  }

  /** A schema for a part of the value. */
  inner(schema: unknown, value: unknown, key: PropertyKey, { at, scope }: Check): boolean {
    return this.#apply({ schema, value, at: { key, parent: at }, scope, seen: this.newSeen(), chain: 0 })
  }

  /** Another schema for the same value. What it looks at counts when the value fits. */
  beside(schema: unknown, check: Check, scope = check.scope): boolean {
    const seen = check.seen && new Seen()
    const fits = this.#apply({ schema, value: check.value, at: check.at, scope, seen, chain: check.chain + 1 })
    if (fits && seen) check.seen?.addAll(seen)
    return fits
  }

  /** Does it fit? What is wrong is not told. */
  silently<T>(fits: () => T): T {
    const issues = this.#issues
    this.#issues = undefined
    try {
      return fits()
    } finally {
      this.#issues = issues
    }
  }

  /** What would be told of this, without telling it. */
  apart(fits: () => boolean): { readonly fits: boolean; readonly issues: readonly StandardIssue[] } {
    const before = this.#issues
    if (!before) return { fits: fits(), issues: [] }
    const issues: StandardIssue[] = []
    this.#issues = issues
    try {
      return { fits: fits(), issues }
    } finally {
      this.#issues = before
    }
  }

  /** Tells what is wrong. Always false. */
  fault({ at }: Pick<Check, 'at'>, message: () => string, key?: PropertyKey): false {
    this.#issues?.push({ path: pathOf(key === undefined ? at : { key, parent: at }), message: message() })
    return false
  }

  tell(issues: readonly StandardIssue[]): false {
    for (const issue of issues) this.#issues?.push(issue)
    return false
  }

  newSeen(): Seen | undefined {
    return this.document.tracks ? new Seen() : undefined
  }

  #apply(check: Omit<Check, 'schema'> & { readonly schema: unknown }): boolean {
    const { schema } = check
    if (++this.#steps > maxSteps) throw new ToolDefinitionError(`to check the input against it takes more than ${maxSteps} steps`)
    if (check.chain > maxChain) throw new ToolDefinitionError('a $ref leads back to itself without end')
    if (schema === false) return this.fault(check, () => 'not allowed here')
    if (!isObject(schema)) return true
    const { resource } = this.document.places.get(schema) ?? check.scope
    const scope = resource === check.scope.resource ? check.scope : { resource, outer: check.scope }
    const own: Check = { schema, value: check.value, at: check.at, scope, seen: check.seen, chain: check.chain }
    let fits = true
    // All are asked: the model should hear of every fault at once.
    for (const [keyword, expected] of this.#keywordsOf(schema, resource)) fits = keyword(this, expected, own) && fits
    return fits
  }

  /** The keywords of a schema that mean something, in the order in which they must be asked. Looked up once. */
  #keywordsOf(schema: JsonSchema, { dialect }: Resource): readonly (readonly [Keyword, unknown])[] {
    let prepared = this.#prepared.get(schema)
    if (!prepared) {
      const isReference = dialect.refStandsAlone && typeof schema['$ref'] === 'string'
      prepared = [...this.#keywords].flatMap(([name, keyword]) =>
        Object.hasOwn(schema, name) && (!isReference || name === '$ref') ? [[keyword, schema[name]] as const] : [],
      )
      this.#prepared.set(schema, prepared)
    }
    return prepared
  }
}

const rootResource = (document: SchemaDocument): Resource =>
  document.places.get(document.root as object)?.resource ?? [...document.resources.values()][0]!

function pathOf(at: At): readonly PropertyKey[] {
  const path: PropertyKey[] = []
  for (let part = at; part; part = part.parent) path.unshift(part.key)
  return path
}
