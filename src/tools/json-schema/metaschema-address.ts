const drafts = 'http://json-schema\\.org/draft-0[467]/schema'
const whole = 'https://json-schema\\.org/draft/20(?:19-09|20-12)/(?:schema|meta/(?:core|applicator|validation|meta-data|content))'
const apart = 'https://json-schema\\.org/draft/(?:2019-09/meta/format|2020-12/meta/(?:unevaluated|format-annotation))'
const known = new RegExp(`^(?:${drafts}|${whole}|${apart})$`)

/** Is this the address of a schema of schemas? These are known without fetching. */
export const isMetaschema = (uri: string): boolean => known.test(uri)
