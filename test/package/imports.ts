import { parseSync } from 'vite'

export type Import = {
  readonly from: string
  /** `type` is erased; `dynamic` is loaded when it is first used. */
  readonly kind: 'value' | 'type' | 'dynamic'
}

/** What a module imports, in the order of its text. An `import()` of a computed name is not among them. */
export function importsOf(path: string, code: string): readonly Import[] {
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const found: Import[] = []
  visit(program, found)
  return found
}

function visit(node: unknown, found: Import[]): void {
  if (Array.isArray(node)) for (const item of node) visit(item, found)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  const { type, source, importKind, exportKind } = node as { [key: string]: unknown }
  const from = (source as { value?: unknown } | null | undefined)?.value
  if (typeof from === 'string') {
    if (type === 'ImportExpression') found.push({ from, kind: 'dynamic' })
    else if (type === 'TSImportType') found.push({ from, kind: 'type' })
    // `import { type A }` is no type import: the module is loaded all the same.
    else found.push({ from, kind: importKind === 'type' || exportKind === 'type' ? 'type' : 'value' })
  }
  for (const child of Object.values(node)) visit(child, found)
}
