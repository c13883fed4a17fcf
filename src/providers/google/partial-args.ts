import type { JsonObject, JsonValue } from '../../util/json.ts'

/** A piece of a call's arguments: the value at a path, or of a text the next piece. */
export type PartialArg = {
  readonly jsonPath?: string
  readonly stringValue?: string | null
  readonly numberValue?: number | null
  readonly boolValue?: boolean | null
  readonly nullValue?: JsonValue
  readonly willContinue?: boolean | null
}

type Step = string | number
type Tree = { [key: string]: JsonValue } | JsonValue[]
/** An object or a list that the JSON has opened and not closed. */
type Level = { readonly step: Step | undefined; readonly isList: boolean; readonly written: Set<Step> }

/**
 * Writes arguments that come by path as one JSON text, piece by piece, as they come. The API tells them in the order in
 * which they stand. Should it come back to a place that is written already, the property to which this belongs is written
 * once more at the end, whole: of two properties of one name the later counts.
 */
export class PartialArgs {
  readonly #root = Object.create(null) as Tree & JsonObject
  readonly #levels: Level[] = []
  /** The properties that are written once more. */
  readonly #again = new Set<Step>()
  /** The place of a text that goes on. */
  #text: readonly Step[] | undefined
  #out = ''

  get isEmpty(): boolean {
    return this.#levels.length === 0
  }

  /** Has a text begun that has not ended? */
  get isInText(): boolean {
    return this.#text !== undefined
  }

  /**
   * The JSON of the next piece.
   *
   * @throws {SyntaxError} at a path that leads to no single place.
   */
  put(arg: PartialArg): string {
    const value = valueOf(arg)
    return this.#write(pathOf(arg.jsonPath), value, typeof value === 'string' && arg.willContinue === true)
  }

  /** The JSON of a property that came as a whole. */
  property(name: string, value: JsonValue): string {
    return this.#write([name], value, false)
  }

  /** The JSON that ends the arguments. */
  end(): string {
    if (this.isEmpty) return ''
    this.#out = ''
    this.#endText()
    this.#leave(1)
    for (const name of this.#again) this.#out += `,${JSON.stringify(name)}:${JSON.stringify(this.#root[name])}`
    return `${this.#out}}`
  }

  #write(path: readonly Step[], value: JsonValue, more: boolean): string {
    this.#out = ''
    const goesOn = typeof value === 'string' && this.#text !== undefined && isSame(this.#text, path)
    store(this.#root, path, value, goesOn)
    if (goesOn) {
      if (!this.#again.has(path[0]!)) this.#out += inside(value)
      if (!more) this.#endText()
      return this.#out
    }
    this.#endText()
    if (this.#enter(path)) this.#out += typeof value === 'string' ? `"${inside(value)}${more ? '' : '"'}` : JSON.stringify(value)
    if (more) this.#text = path
    return this.#out
  }

  #endText(): void {
    if (this.#text && !this.#again.has(this.#text[0]!)) this.#out += '"'
    this.#text = undefined
  }

  /** Opens what stands around the place and names it; false when it is written at the end. */
  #enter(path: readonly Step[]): boolean {
    if (this.#again.has(path[0]!)) return false
    if (this.isEmpty) this.#open(undefined, false)
    let depth = 0
    while (depth < path.length - 1 && this.#levels[depth + 1]?.step === path[depth]) depth++
    this.#leave(depth + 1)
    for (; depth < path.length; depth++) {
      const { isList, written } = this.#levels[depth]!
      const step = path[depth]!
      if (written.has(step)) {
        this.#again.add(path[0]!)
        return false
      }
      this.#out += `${written.size > 0 ? ',' : ''}${isList ? '' : `${JSON.stringify(step)}:`}`
      written.add(step)
      if (depth < path.length - 1) this.#open(step, typeof path[depth + 1] === 'number')
    }
    return true
  }

  #open(step: Step | undefined, isList: boolean): void {
    this.#levels.push({ step, isList, written: new Set() })
    this.#out += isList ? '[' : '{'
  }

  /** Closes all but the outer so many levels. */
  #leave(count: number): void {
    while (this.#levels.length > count) this.#out += this.#levels.pop()!.isList ? ']' : '}'
  }
}

/** A text as it stands between the quotes. */
const inside = (text: string): string => JSON.stringify(text).slice(1, -1)

const isSame = (a: readonly Step[], b: readonly Step[]): boolean => a.length === b.length && a.every((step, i) => step === b[i])

function valueOf({ stringValue, numberValue, boolValue }: PartialArg): JsonValue {
  return stringValue ?? numberValue ?? boolValue ?? null
}

/** `.name`, `[0]`, `['name']` or `["name"]`. */
const stepPattern = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

function pathOf(said: unknown): readonly Step[] {
  const path: Step[] = []
  if (typeof said === 'string' && said.startsWith('$')) {
    stepPattern.lastIndex = 1
    for (let found = stepPattern.exec(said); found; found = stepPattern.exec(said)) {
      const [, name, index, single, double] = found
      path.push(
        index === undefined
          ? (name ?? quoted(single?.replaceAll(/\\'|"/g, (char) => (char === '"' ? '\\"' : "'")) ?? double!))
          : Number(index),
      )
      if (stepPattern.lastIndex === said.length && typeof path[0] === 'string') return path
    }
  }
  throw new SyntaxError(`expected a path such as $.items[0].name, got ${JSON.stringify(said)}`)
}

const quoted = (text: string): string => JSON.parse(`"${text}"`) as string

/** Puts the value into its place, or behind the text that stands there. */
function store(root: Tree, path: readonly Step[], value: JsonValue, goesOn: boolean): void {
  let tree = root
  path.forEach((step, i) => {
    if (Array.isArray(tree) ? typeof step !== 'number' || step > tree.length : typeof step === 'number')
      throw new SyntaxError(`expected a path to the next place, got ${JSON.stringify(path)}`)
    const place = tree as Record<Step, JsonValue>
    const there = place[step]
    if (i === path.length - 1) place[step] = goesOn ? `${String(there)}${String(value)}` : value
    else {
      if (typeof there !== 'object' || there === null)
        place[step] = typeof path[i + 1] === 'number' ? [] : (Object.create(null) as JsonObject)
      tree = place[step] as Tree
    }
  })
}
