import { forEachChild } from 'unbash'
import type { Function as FunctionNode, SyntaxNode } from 'unbash'
import { toWord } from './words.ts'

/** A function that a script defines. */
export type Defined = {
  readonly name: string
  readonly calls: ReadonlySet<string>
  /** What it calls may go on beside it: in the background, in a pipe. */
  readonly isBeside: boolean
}

export function definedBy({ name, body }: FunctionNode): Defined {
  const calls = new Set<string>()
  let isBeside = false
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name) calls.add(toWord(node.name).text)
    isBeside ||= node.type === 'Coproc' || (node.type === 'Statement' && node.background === true)
    isBeside ||= node.type === 'Pipeline' && node.commands.length > 1
    if ('script' in node && node.script) visit(node.script)
    forEachChild(node, visit)
  }
  visit(body)
  return { name: toWord(name).text, calls, isBeside }
}

/** Does one of them start itself, perhaps through others, beside what it started before? Then there is no end of them. */
export function multiplies(defined: readonly Defined[]): boolean {
  const reached = (from: string): ReadonlySet<string> => {
    const names = new Set<string>()
    const left = [from]
    for (let name = left.pop(); name !== undefined; name = left.pop())
      for (const known of defined)
        if (known.name === name)
          for (const next of known.calls) {
            if (!names.has(next)) left.push(next)
            names.add(next)
          }
    return names
  }
  return defined.some(({ name, isBeside }) => isBeside && reached(name).has(name))
}
