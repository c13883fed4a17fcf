import type { JsonSchema } from '../../util/json-schema.ts'

/** What the drafts see differently. */
export type Dialect = {
  /** The keyword that names a schema. */
  readonly id: 'id' | '$id'
  /** Nothing beside a `$ref` counts, and a name that is a fragment is an anchor (up to draft-07). */
  readonly refStandsAlone: boolean
  /** What `contains` found counts as evaluated (from 2020-12). */
  readonly containsEvaluates: boolean
}

/** The dialect that the schema names; without a name the newest. */
export function dialectOf(schema: JsonSchema): Dialect {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const isOld = /draft-0[3-7]/.test(named)
  return {
    id: /draft-0[34]/.test(named) ? 'id' : '$id',
    refStandsAlone: isOld,
    containsEvaluates: !isOld && !named.includes('2019-09'),
  }
}
