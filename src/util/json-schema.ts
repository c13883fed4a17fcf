/** A JSON Schema as a plain object. */
export type JsonSchema = { readonly [key: string]: unknown }
