import { expect, test } from 'vitest'
import { toolkit } from '../../src/toolkit/index.ts'

type Schema = { readonly [key: string]: unknown }

/** What the schemas of the inputs demand of lengths and numbers: models are told that, and held to it. */
const boundsOf = (schema: Schema): readonly string[] =>
  Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>).flatMap(([name, property]) => {
    const found = Object.entries(property).filter(([, value]) => typeof value === 'number')
    return found.length === 0 ? [] : [`${name} ${found.map(([key, value]) => `${key}=${String(value)}`).join(' ')}`]
  })

test('the bounds in the schemas of the tools for files and commands', () => {
  const names = ['read_file', 'write_file', 'edit_file', 'list_dir', 'glob', 'grep', 'shell']
  const kit = toolkit().filter(({ name }) => names.includes(name))
  const found = kit.map(({ name, inputSchema }) => [name, boundsOf(inputSchema)])
  expect(Object.fromEntries(found)).toEqual({
    read_file: ['path minLength=1', 'offset minimum=1', 'limit minimum=1'],
    write_file: ['path minLength=1'],
    edit_file: ['path minLength=1', 'edits minItems=1 maxItems=200'],
    list_dir: ['path minLength=1'],
    glob: ['pattern minLength=1', 'path minLength=1'],
    grep: ['pattern minLength=1', 'path minLength=1', 'glob minLength=1', 'context minimum=0 maximum=20', 'limit minimum=1 maximum=1000'],
    shell: ['command minLength=1', 'timeout exclusiveMinimum=0 maximum=600'],
  })
})
