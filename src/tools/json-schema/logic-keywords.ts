import { ToolDefinitionError } from '../../errors.ts'
import { isObject } from '../../util/json.ts'
import { namesOf } from './equality.ts'
import { inBrief, isPlainChoice } from './in-words.ts'
import type { Check, Keyword, Run, Scope } from './run.ts'

/** References: keywords that say what another schema says. */
export const referenceKeywords: Readonly<Record<string, Keyword>> = {
  $ref: (run, reference: unknown, check) => {
    if (typeof reference !== 'string') return true
    const target = targetOf(run, reference, check)
    return run.beside(target.schema, check, entering(target.resource, check.scope))
  },
  $dynamicRef: (run, reference: unknown, check) => {
    if (typeof reference !== 'string') return true
    const target = targetOf(run, reference, check)
    const { anchor } = target
    if (anchor === undefined || target.resource.dynamicAnchors.get(anchor) !== target.schema)
      return run.beside(target.schema, check, entering(target.resource, check.scope))
    // The outermost schema on the way that has an anchor of this name takes its place.
    let schema: unknown = target.schema
    for (let scope: Scope | undefined = check.scope; scope; scope = scope.outer)
      schema = scope.resource.dynamicAnchors.get(anchor) ?? schema
    return run.beside(schema, check)
  },
  $recursiveRef: (run, _reference, check) => {
    let { resource } = check.scope
    const isOpen = (root: unknown): boolean => isObject(root) && root['$recursiveAnchor'] === true
    if (isOpen(resource.root))
      for (let scope: Scope | undefined = check.scope; scope; scope = scope.outer) if (isOpen(scope.resource.root)) ({ resource } = scope)
    return run.beside(resource.root, check)
  },
}

function targetOf(run: Run, reference: string, { scope }: Check) {
  const target = run.document.resolve(reference, scope.resource)
  if (!target) throw new ToolDefinitionError(`the $ref ${JSON.stringify(reference)} names nothing in it, and nothing is fetched`)
  return target
}

/** A reference to a part of another document goes through its root. */
const entering = (resource: Scope['resource'], scope: Scope): Scope => (resource === scope.resource ? scope : { resource, outer: scope })

/** Keywords that put schemas together. */
export const logicKeywords: Readonly<Record<string, Keyword>> = {
  allOf: (run, schemas: unknown, check) =>
    !Array.isArray(schemas) || schemas.reduce<boolean>((fits, schema) => run.beside(schema, check) && fits, true),
  anyOf: (run, schemas: unknown, check) => {
    if (!Array.isArray(schemas)) return true
    const tried = schemas.map((schema) => run.apart(() => run.beside(schema, check)))
    return tried.some(({ fits }) => fits) || noneFits(run, schemas, check, tried)
  },
  oneOf: (run, schemas: unknown, check) => {
    if (!Array.isArray(schemas)) return true
    const tried = schemas.map((schema) => run.apart(() => run.beside(schema, check)))
    const fitting = tried.filter(({ fits }) => fits).length
    if (fitting === 0) return noneFits(run, schemas, check, tried)
    return fitting === 1 || run.fault(check, () => `expected only one of ${options(run, schemas, check)} to fit`)
  },
  not: (run, schema: unknown, check) =>
    !run.silently(() => run.beside(schema, { ...check, seen: run.newSeen() })) ||
    run.fault(check, () => `expected anything but ${inBrief(schema, run, check)}`),
  if: (run, schema: unknown, check) => {
    const branch: unknown = check.schema[run.silently(() => run.beside(schema, check)) ? 'then' : 'else']
    return branch === undefined || run.beside(branch, check)
  },
}

type Tried = { readonly issues: readonly Parameters<Run['tell']>[0][number][] }

function noneFits(run: Run, schemas: readonly unknown[], check: Check, tried: readonly Tried[]): false {
  run.fault(check, () => `expected ${options(run, schemas, check)}`)
  // Where one of a few plain values would do, what is wrong with each of them says nothing more.
  if (!isPlainChoice(schemas)) for (const { issues } of tried) run.tell(issues)
  return false
}

const options = (run: Run, schemas: readonly unknown[], check: Check): string =>
  schemas.map((schema) => inBrief(schema, run, check)).join(' or ')

/** Asked last: they look at what none of the others has looked at. */
export const unevaluatedKeywords: Readonly<Record<string, Keyword>> = {
  unevaluatedItems: (run, schema: unknown, check) => {
    const { value, seen } = check
    if (!Array.isArray(value) || !seen) return true
    let fits = true
    for (const [index, item] of value.entries()) if (!seen.hasIndex(index)) fits = run.inner(schema, item, index, check) && fits
    seen.addAllItems()
    return fits
  },
  unevaluatedProperties: (run, schema: unknown, check) => {
    const { value, seen } = check
    if (!isObject(value) || !seen) return true
    let fits = true
    for (const name of namesOf(value)) if (!seen.hasName(name)) fits = run.inner(schema, value[name], name, check) && fits
    seen.addAllNames()
    return fits
  },
}
