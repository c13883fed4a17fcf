/** How a relative import is written once its importer is known: `prefix`, the importer, a line break, what it imports. */
const prefix = 'relative-import '

type Literal = { value: unknown; extra?: unknown }
type Path = { readonly node: { source?: Literal | null; callee?: { type: string }; arguments?: Literal[] } }
type Program = { traverse(visitor: Record<string, (path: Path) => void>): void }

/** A Babel plug-in that puts the importer into each relative import, so that the loader knows who needs whom. */
export const markRelativeImports = (importer: string) => () => ({
  visitor: {
    Program(program: Program) {
      const mark = (literal: Literal | null | undefined): void => {
        if (typeof literal?.value !== 'string' || !/^\.{1,2}\//.test(literal.value)) return
        literal.value = `${prefix}${importer}\n${literal.value}`
        delete literal.extra
      }
      const declaration = ({ node }: Path): void => mark(node.source)
      program.traverse({
        ImportDeclaration: declaration,
        ExportNamedDeclaration: declaration,
        ExportAllDeclaration: declaration,
        ImportExpression: declaration,
        CallExpression: ({ node }) => node.callee?.type === 'Import' && mark(node.arguments?.[0]),
      })
    },
  },
})

export function readMark(id: string): { readonly importer: string; readonly specifier: string } | undefined {
  if (!id.startsWith(prefix)) return undefined
  const [importer, specifier] = id.slice(prefix.length).split('\n')
  return { importer: importer!, specifier: specifier! }
}
