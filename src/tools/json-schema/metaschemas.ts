import type { JsonSchema } from '../../util/json-schema.ts'

/*
 * The schemas of schemas, as the specifications of JSON Schema (https://json-schema.org/specification) define them: drafts 04, 06 and
 * 07, and 2019-09 and 2020-12 with their vocabularies. Only what judges a schema is here: titles, comments, defaults and formats,
 * which refuse nothing, are left out.
 */

type Schemas = Readonly<Record<string, JsonSchema | boolean>>

const text = { type: 'string' }
const flag = { type: 'boolean' }
const number = { type: 'number' }
const count = { type: 'integer', minimum: 0 }
const texts = { type: 'array', items: text, uniqueItems: true }
const types = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }
const to = ($ref: string): JsonSchema => ({ $ref })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', minItems: 1, items })
const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties })
const typesOf = (one: JsonSchema): JsonSchema => ({ anyOf: [one, { ...listOf(one), uniqueItems: true }] })
const all = (names: readonly string[], schema: JsonSchema | boolean): Schemas => Object.fromEntries(names.map((name) => [name, schema]))

const bounds = ['maxLength', 'maxItems', 'maxProperties']
const lowerBounds = ['minLength', 'minItems', 'minProperties']

/** Up to draft-07: one schema. Its parts have names, because references to them are legal. */
function oneSchema(draft: '04' | '06' | '07'): readonly [string, JsonSchema] {
  const isFirst = draft === '04'
  const self = to('#')
  const atLeast = to(`#/definitions/${isFirst ? 'positiveInteger' : 'nonNegativeInteger'}`)
  const maybeNone = to(`#/definitions/${isFirst ? 'positiveIntegerDefault0' : 'nonNegativeIntegerDefault0'}`)
  const array = to('#/definitions/schemaArray')
  const names = to('#/definitions/stringArray')
  const orFlag = isFirst ? { anyOf: [flag, self] } : self
  const uri = `http://json-schema.org/draft-${draft}/schema`
  const exclusive = ['exclusiveMaximum', 'exclusiveMinimum']
  const schema: JsonSchema = {
    $schema: `${uri}#`,
    [isFirst ? 'id' : '$id']: `${uri}#`,
    type: isFirst ? 'object' : ['object', 'boolean'],
    definitions: {
      schemaArray: listOf(self),
      ...(isFirst
        ? { positiveInteger: count, positiveIntegerDefault0: { allOf: [atLeast, {}] } }
        : { nonNegativeInteger: count, nonNegativeIntegerDefault0: { allOf: [atLeast, {}] } }),
      simpleTypes: types,
      stringArray: isFirst ? { ...texts, minItems: 1 } : texts,
    },
    properties: {
      ...all([isFirst ? 'id' : '$id', '$schema', 'title', 'description', 'pattern', 'format'], text),
      ...all(['maximum', 'minimum'], number),
      ...all(exclusive, isFirst ? flag : number),
      multipleOf: isFirst ? { type: 'number', minimum: 0, exclusiveMinimum: true } : { type: 'number', exclusiveMinimum: 0 },
      ...all(bounds, atLeast),
      ...all(lowerBounds, maybeNone),
      ...all(['additionalItems', 'additionalProperties'], orFlag),
      items: { anyOf: [self, array] },
      uniqueItems: flag,
      required: names,
      ...all(['definitions', 'properties', 'patternProperties'], mapOf(self)),
      dependencies: mapOf({ anyOf: [self, names] }),
      enum: draft === '07' ? { type: 'array' } : { type: 'array', minItems: 1, uniqueItems: true },
      type: typesOf(to('#/definitions/simpleTypes')),
      ...all(['allOf', 'anyOf', 'oneOf'], array),
      not: self,
      ...(!isFirst && { $ref: text, examples: { type: 'array' }, contains: self, propertyNames: self }),
      ...(draft === '07' && {
        ...all(['$comment', 'contentMediaType', 'contentEncoding'], text),
        ...all(['readOnly', 'writeOnly'], flag),
        ...all(['if', 'then', 'else'], self),
      }),
    },
    ...(isFirst && { dependencies: { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] } }),
  }
  return [uri, schema]
}

/** From 2019-09 on: a schema for each vocabulary, and one that puts them together. */
function vocabularies(draft: '2019-09' | '2020-12'): readonly (readonly [string, JsonSchema])[] {
  const isNew = draft === '2020-12'
  const base = `https://json-schema.org/draft/${draft}`
  // Whoever extends the schema of schemas is asked in its place for schemas within schemas.
  const self = isNew ? { $dynamicRef: '#meta' } : { $recursiveRef: '#' }
  const open = isNew ? { $dynamicAnchor: 'meta' } : { $recursiveAnchor: true }
  const type = ['object', 'boolean']
  const array = to('#/$defs/schemaArray')
  const strings = to('#/$defs/stringArray')
  const uriReference = isNew ? to('#/$defs/uriReferenceString') : text
  const anchor = isNew ? to('#/$defs/anchorString') : { type: 'string', pattern: '^[A-Za-z][-A-Za-z0-9.:_]*$' }
  const part = (name: string, properties: Schemas, $defs?: Schemas): readonly [string, JsonSchema] => [
    `${base}/${name}`,
    { $schema: `${base}/schema`, $id: `${base}/${name}`, ...open, type, properties, ...($defs && { $defs }) },
  ]
  const unevaluated = all(['unevaluatedItems', 'unevaluatedProperties'], self)
  const names = ['core', 'applicator', ...(isNew ? ['unevaluated'] : []), 'validation', 'meta-data']
  names.push(isNew ? 'format-annotation' : 'format', 'content')
  const [uri, whole] = part('schema', {
    definitions: mapOf(self),
    dependencies: mapOf({ anyOf: [self, to('meta/validation#/$defs/stringArray')] }),
    ...(isNew && { $recursiveAnchor: to('meta/core#/$defs/anchorString'), $recursiveRef: to('meta/core#/$defs/uriReferenceString') }),
  })
  const parts = [
    part(
      'meta/core',
      {
        $id: { ...(isNew ? uriReference : text), pattern: '^[^#]*#?$' },
        $schema: isNew ? to('#/$defs/uriString') : text,
        $ref: uriReference,
        $anchor: anchor,
        ...(isNew ? { $dynamicRef: uriReference, $dynamicAnchor: anchor } : { $recursiveRef: text, $recursiveAnchor: flag }),
        $vocabulary: { ...mapOf(flag), propertyNames: isNew ? to('#/$defs/uriString') : text },
        $comment: text,
        $defs: mapOf(self),
      },
      isNew
        ? { anchorString: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }, uriString: text, uriReferenceString: text }
        : undefined,
    ),
    part(
      'meta/applicator',
      {
        ...(isNew ? { prefixItems: array, items: self } : { additionalItems: self, items: { anyOf: [self, array] }, ...unevaluated }),
        ...all(['contains', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'], self),
        ...all(['properties', 'patternProperties', 'dependentSchemas'], mapOf(self)),
        ...all(['allOf', 'anyOf', 'oneOf'], array),
      },
      { schemaArray: listOf(self) },
    ),
    ...(isNew ? [part('meta/unevaluated', unevaluated)] : []),
    part(
      'meta/validation',
      {
        type: typesOf(to('#/$defs/simpleTypes')),
        const: true,
        enum: { type: 'array' },
        multipleOf: { type: 'number', exclusiveMinimum: 0 },
        ...all(['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'], number),
        ...all([...bounds, 'maxContains', 'minContains'], to('#/$defs/nonNegativeInteger')),
        ...all(lowerBounds, to('#/$defs/nonNegativeIntegerDefault0')),
        pattern: text,
        uniqueItems: flag,
        required: strings,
        dependentRequired: mapOf(strings),
      },
      { nonNegativeInteger: count, nonNegativeIntegerDefault0: to('#/$defs/nonNegativeInteger'), simpleTypes: types, stringArray: texts },
    ),
    part('meta/meta-data', {
      ...all(['title', 'description'], text),
      ...all(['deprecated', 'readOnly', 'writeOnly'], flag),
      default: true,
      examples: { type: 'array' },
    }),
    part(isNew ? 'meta/format-annotation' : 'meta/format', { format: text }),
    part('meta/content', { ...all(['contentMediaType', 'contentEncoding'], text), contentSchema: self }),
  ]
  return [[uri, { ...whole, allOf: names.map((name) => to(`meta/${name}`)) }], ...parts]
}

const made = [oneSchema('04'), oneSchema('06'), oneSchema('07'), ...vocabularies('2019-09'), ...vocabularies('2020-12')]

/** Each by its address. A document knows by the object in which resource a schema stands: no two share one. */
export const metaschemas: ReadonlyMap<string, JsonSchema> = new Map(
  made.map(([uri, schema]) => [uri, JSON.parse(JSON.stringify(schema)) as JsonSchema]),
)
