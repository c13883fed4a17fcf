import { forEachChild, parse } from 'unbash'
import type { Assignment as AssignmentNode, Command, ParsedScript as Tree, Redirection, SyntaxNode, Word as WordNode } from 'unbash'
import { arithmetic, declares, isCode, knownText } from './arithmetic.ts'
import type { Value } from './arithmetic.ts'
import { wordsOfBraces } from './braces.ts'
import { definedBy } from './functions.ts'
import type { Defined } from './functions.ts'
import { rememberLast } from './remember-last.ts'
import { toWord } from './words.ts'
import type { Word } from './words.ts'

export type Assignment = { readonly name: string; readonly value: Word | undefined }

export type SimpleCommand = {
  /** Its name and arguments; none where a line only sets variables or opens files. */
  readonly words: readonly Word[]
  /** Before the command, or as arguments of `export` and its kind. */
  readonly assignments: readonly Assignment[]
  /** Files that it opens for writing. */
  readonly writesTo: readonly Word[]
  /** Files that it opens for reading. */
  readonly readsFrom: readonly Word[]
  /** Texts that it is given as standard input. */
  readonly heredocs: readonly Word[]
  /** What joins it to the one before it: `''` for the first, and for the first of a substitution. */
  readonly after: '' | ';' | '&' | '&&' | '||' | '|'
  /** It stands in a substitution. */
  readonly isInner: boolean
  /** Its exit code is turned around by `!`. */
  readonly isNegated: boolean
}

export type ParsedScript = {
  /** Every simple command that the text holds, wherever it stands: in substitutions, functions, loops, here-documents. */
  readonly commands: readonly SimpleCommand[]
  /** Variables that are set by other means than a command: `for`, `select`, `${x:=y}`, a descriptor `{x}>`. */
  readonly variables: readonly string[]
  /** The text is a whole script of bash. */
  readonly isComplete: boolean
  /** A text that bash may run as code although it stands as data: a subscript, a prompt. */
  readonly isHidden: boolean
  /** What bash works out as a number, or as a name with a subscript, as it was written. */
  readonly worked: readonly string[]
  readonly values: readonly Value[]
  readonly functions: readonly Defined[]
  /** Patterns that bash itself looks up, for no command: in the list of a `for`, in an array. */
  readonly lookedUp: readonly Word[]
}

const incomplete: ParsedScript = {
  commands: [],
  variables: [],
  isComplete: false,
  isHidden: false,
  worked: [],
  values: [],
  functions: [],
  lookedUp: [],
}

/** Takes a script of bash apart. The one place that knows the parser. */
export const parseScript = rememberLast(parsed)

function parsed(script: string): ParsedScript {
  // Bash drops NUL characters, and what it makes of a carriage return differs.
  if (/[\0\r]/.test(script) || opensTooMany(script)) return incomplete
  try {
    return new Walk().through(parse(script))
  } catch {
    // Nested deeper than the stack reaches.
    return incomplete
  }
}

/** The time to parse grows with the square of these. */
const maxOpenings = 1000

const opensTooMany = (script: string): boolean =>
  script.length > maxOpenings && (script.match(/\$[({]|<<|[(`{]/g)?.length ?? 0) > maxOpenings

class Walk {
  readonly commands: SimpleCommand[] = []
  readonly variables: string[] = []
  readonly worked: string[] = []
  readonly values: Value[] = []
  readonly functions: Defined[] = []
  readonly lookedUp: Word[] = []
  isComplete = true
  isHidden = false
  private after: SimpleCommand['after'] = ''
  private isInner = false
  private isNegated = false

  through(tree: Tree): ParsedScript {
    this.visit(tree)
    const { commands, variables, isComplete, isHidden, worked, values, functions, lookedUp } = this
    return { commands, variables, isComplete, isHidden, worked, values, functions, lookedUp }
  }

  private readonly visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case 'Script':
      case 'CompoundList':
        if ('errors' in node && node.errors && node.errors.length > 0) this.isComplete = false
        for (const [index, statement] of node.commands.entries()) {
          if (index > 0) this.after = node.commands[index - 1]?.background ? '&' : ';'
          this.isNegated = false
          this.visit(statement)
        }
        return
      case 'AndOr':
      case 'Pipeline':
        this.isNegated = node.type === 'Pipeline' && node.prefixes.some(({ type }) => type === 'Negation')
        for (const [index, command] of node.commands.entries()) {
          if (index > 0) this.after = operatorOf(node.operators[index - 1])
          this.visit(command)
        }
        return
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        // Left unread by the parser: nobody knows what stands there.
        if (node.type === 'ArithmeticCommandExpansion') this.worked.push(node.text)
        if (!node.script) this.isComplete = false
        else this.within(node.script)
        return
      case 'ArithmeticExpansion':
      case 'ArithmeticCommand':
        if (!node.expression && node.type === 'ArithmeticExpansion' && /[^\s$()]/.test(node.text)) this.isComplete = false
        if (node.type === 'ArithmeticCommand' && !node.expression && node.body.trim() !== '') this.isComplete = false
        break
      case 'ArithmeticWord':
        if (/['"\\]/.test(node.value)) this.isHidden = true
        this.worked.push(node.value)
        break
      case 'Command':
        return this.command(node)
      case 'Function':
        this.functions.push(definedBy(node))
        break
      case 'For':
      case 'Select':
        this.variables.push(node.name.value)
        if (node.wordlist) this.hasElements(node.name.value, node.wordlist)
        else this.values.push({ name: node.name.value, text: undefined })
        break
      case 'ParameterExpansion':
        if (node.operation?.type === 'Transform') this.isHidden = true
        if (node.operation?.type === 'Unknown' || node.text.startsWith('${ ') || node.text.startsWith('${|')) this.isComplete = false
        if (node.operation?.type === 'Default' && node.operation.operator.endsWith('=')) {
          this.variables.push(node.parameter)
          this.values.push({ name: node.parameter, text: undefined })
        }
        if (node.operation?.type === 'Slice') this.works(node.operation.offset, node.operation.length)
        this.works(node.index)
        // `${!x}` is what the variable is called whose name `x` holds; `${!x*}` and `${!x[@]}` are names alone.
        if (node.prefix === '!' && node.operation?.type !== 'Names' && !/^[@*]$/.test(node.index?.text ?? ''))
          this.worked.push(node.parameter)
        if (node.index && isCode(toWord(node.index).text)) this.isHidden = true
        break
      case 'TestUnary':
        if (isCode(toWord(node.operand).text)) this.isHidden = true
        if (node.operator === '-v') this.works(node.operand)
        break
      case 'TestBinary':
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
          if ([node.left, node.right].some((side) => isCode(toWord(side).text))) this.isHidden = true
          this.works(node.left, node.right)
        }
        break
      case 'Redirected':
        // Opened before the commands in it run.
        this.add([], [], node.redirects)
        break
      case 'Redirect':
        if (!node.target) this.isComplete = false
        if (node.descriptor?.type === 'FileDescriptorVariable') this.variables.push(node.descriptor.name)
        break
      case 'HereDoc':
        if (!node.closing || !node.delimiter) this.isComplete = false
        break
      default:
    }
    forEachChild(node, this.visit)
  }

  private works(...words: readonly (WordNode | undefined)[]): void {
    for (const word of words) if (word) this.worked.push(word.text)
  }

  /** A pattern among them stands for names of files, which may be anything. */
  private hasElements(name: string, elements: readonly WordNode[]): void {
    for (const element of elements) {
      this.values.push({ name, text: toWord(element).isPattern ? undefined : knownText(element) })
      this.lookedUp.push(...toWords(element).filter(({ isPattern }) => isPattern))
    }
  }

  private within(script: Tree): void {
    const { after, isInner } = this
    this.after = ''
    this.isInner = true
    this.visit(script)
    this.after = after
    this.isInner = isInner
  }

  private command(node: Command): void {
    const assigned = [...node.prefix, ...node.suffix].filter((part) => part.type === 'Assignment')
    for (const { name, value, index, append } of assigned) {
      this.works(index)
      if (value.type === 'ArrayValue') {
        this.hasElements(name, value.elements)
        this.works(...value.elements.filter(({ text }) => text.startsWith('[')))
      } else this.values.push({ name, text: append === true && !/^\d+$/.test(value.value) ? undefined : knownText(value) })
      const texts = value.type === 'ArrayValue' ? value.elements.map((element) => toWord(element)) : [toWord(value)]
      if (isCode(name) || texts.some((word) => !word.isOpen && isCode(word.text))) this.isHidden = true
    }
    const args = node.args.flatMap((arg) => (arg.type === 'Assignment' ? [wordOf(arg)] : toWords(arg)))
    const words = node.name ? [...toWords(node.name), ...args] : args
    if (declares.has(words[0]?.text ?? '')) this.worked.push(...words.slice(1).map(({ text }) => text.replace(/^-.*|=.*/s, '')))
    if (arithmetic.has(words[0]?.text ?? '') && words.some(({ text }) => isCode(text))) this.isHidden = true
    this.add(words, assigned.map(assignmentOf), node.redirects)
    const { after } = this
    forEachChild(node, this.visit)
    this.after = after
  }

  private add(words: readonly Word[], assignments: readonly Assignment[], redirects: readonly Redirection[]): void {
    const writesTo: Word[] = []
    const readsFrom: Word[] = []
    const heredocs: Word[] = []
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') {
        const { body } = redirect
        heredocs.push({
          text: body.text,
          isOpen: body.parts?.some(({ type }) => type !== 'Literal') ?? false,
          isPattern: false,
          isQuoted: true,
        })
      } else if (redirect.target) {
        const target = toWord(redirect.target)
        if (redirect.type === 'HereString') heredocs.push(target)
        else if (redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) continue
        else if (redirect.operator === '<' || redirect.operator === '<&') readsFrom.push(target)
        else writesTo.push(target)
      }
    }
    if (words.length + assignments.length + writesTo.length + readsFrom.length + heredocs.length === 0) return
    this.commands.push({
      words,
      assignments,
      writesTo,
      readsFrom,
      heredocs,
      after: this.after,
      isInner: this.isInner,
      isNegated: this.isNegated,
    })
    this.after = ';'
  }
}

const operatorOf = (operator: string | undefined): SimpleCommand['after'] => (operator === '&&' || operator === '||' ? operator : '|')

/** What bash makes of one word: several, where it holds braces. */
function toWords(node: WordNode): readonly Word[] {
  const hasBraces = node.parts?.some(({ type }) => type === 'BraceExpansion') ?? false
  return (hasBraces ? wordsOfBraces(node.text) : undefined) ?? [toWord(node)]
}

const assignmentOf = ({ name, value }: AssignmentNode): Assignment => ({
  name,
  value: value.type === 'ArrayValue' ? undefined : toWord(value),
})

/** `export A=b` as the word that `export` gets. */
function wordOf(node: AssignmentNode): Word {
  if (node.value.type === 'ArrayValue') return { text: node.text, isOpen: true, isPattern: false, isQuoted: false }
  const value = toWord(node.value)
  const index = node.index ? `[${toWord(node.index).text}]` : ''
  return { ...value, text: `${node.name}${index}${node.append ? '+=' : '='}${value.text}`, isOpen: value.isOpen || index !== '' }
}
