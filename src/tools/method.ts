import { ToolDefinitionError } from '../errors.ts'
import type { CommonDefinition, Run } from './define-tool.ts'
import { defineTool } from './define-tool.ts'
import { directContext } from './direct-context.ts'
import type { InferOutput, Schema } from './standard-schema.ts'
import type { Tool, ToolContext, ToolDefinition } from './tool.ts'

/** What a method says of itself to be a tool. The method is its `execute`. */
export interface MethodDefinition<S extends Schema> extends Omit<ToolDefinition<string, S, unknown>, 'execute' | 'name'> {
  /** The method's own name unless given. */
  readonly name?: string | undefined
}

/** May a method with these parameters be called with what the schema gives out, and a context? */
type Fits<Args extends readonly unknown[], In> = Args extends readonly []
  ? true
  : [In] extends Args
    ? true
    : [In, ToolContext] extends Args
      ? true
      : false

type MethodContext<This, Args extends readonly unknown[], Out, In> =
  Fits<Args, In> extends true
    ? ClassMethodDecoratorContext<This, (this: This, ...args: [...Args]) => Out>
    : { readonly 'the parameters of the method do not fit the schema; it is called with': [input: In, context: ToolContext] }

/** Makes a method a tool. As a decorator it stands before the method; without decorators it is called with the method. */
export interface MethodDecorator<In> {
  <This, Args extends [input?: any, context?: any], Out>(
    method: (this: This, ...args: Args) => Out,
    decorated: MethodContext<This, Args, Out, In>,
  ): (this: This, ...args: Args) => Out
  /** For plain JavaScript: `static { this.prototype.weather = tool.method({ … })(this.prototype.weather) }`. */
  <M extends (input: any, context: any) => unknown>(
    method: [In, ToolContext] extends Parameters<M> ? M : [In] extends Parameters<M> ? M : never,
  ): M
}

type MethodTool = (run: Run) => Tool

/** The same in every copy of this package. */
const mark = Symbol.for('lena-agent.method')

/** The tools of an instance by the key of the method. A decorator outside of ours may put another function in the method's place. */
const instances = new WeakMap<object, Map<PropertyKey, MethodTool>>()

/**
 * Makes a method of a class a tool: `@tool.method({ description, inputSchema })`, a standard decorator. `toolsOf(instance)` gives the
 * tools. The method can still be called directly; its second parameter is then a context whose signal never fires.
 *
 * TypeScript gives the parameters of a decorated method no type: write them, they are checked against the schema.
 *
 * @throws {ToolDefinitionError} when the class is defined: for a private or static method, for what is no method, and as `tool` does.
 */
export function method<S extends Schema>(definition: MethodDefinition<S>): MethodDecorator<InferOutput<S>> {
  if (typeof definition !== 'object' || definition === null)
    throw new ToolDefinitionError(`tool.method() needs a definition { description, inputSchema }, got ${typeof definition}.`)
  const decorate = (method: Run, context?: ClassMethodDecoratorContext): Run => {
    checkMethod(method, context)
    const name = definition.name ?? nameOf(method, context)
    const make = defineTool({ ...definition, name } as CommonDefinition)
    const decorated = function (this: unknown, input: unknown, context?: Partial<ToolContext>): unknown {
      return method.call(this, input, directContext(name, input, context))
    }
    Object.defineProperties(decorated, { name: { value: method.name }, length: { value: method.length }, [mark]: { value: make } })
    context?.addInitializer(function () {
      const known = instances.get(this as object) ?? new Map<PropertyKey, MethodTool>()
      instances.set(this as object, known.set(context.name, make))
    })
    return decorated
  }
  return decorate as MethodDecorator<InferOutput<S>>
}

/**
 * The tools of an object whose class has methods with `@tool.method`: its own and the inherited ones, bound to it. A method that
 * is overridden counts once, and what runs is what the object has under that name.
 *
 * @throws {ToolDefinitionError} when there is none, and when two have one name.
 */
export function toolsOf(instance: object): readonly Tool[] {
  if ((typeof instance !== 'object' && typeof instance !== 'function') || instance === null)
    throw new ToolDefinitionError(
      `toolsOf() needs an instance of a class with @tool.method, got ${instance === null ? 'null' : typeof instance}.`,
    )
  const tools = [...methodsOf(instance)].map(([key, make]) =>
    make((input, context) => (instance as Record<PropertyKey, Run>)[key]!(input, context)),
  )
  const called = instance.constructor?.name || 'object'
  if (tools.length === 0)
    throw new ToolDefinitionError(
      typeof instance === 'function'
        ? `toolsOf() needs an instance, got the class or function ${instance.name}. Make one: toolsOf(new ${instance.name}()).`
        : `The ${called} has no tools: none of its methods is decorated with @tool.method({ description, inputSchema }).`,
    )
  const names = tools.map(({ name }) => name)
  const double = names.find((name, index) => names.indexOf(name) !== index)
  if (double !== undefined)
    throw new ToolDefinitionError(`Two methods of the ${called} are tools named "${double}". Give one of them another \`name\`.`, {
      code: 'duplicate_tool',
    })
  return tools
}

/** By key, the nearest class first. Looks at descriptors alone, so that no getter runs. */
function methodsOf(instance: object): ReadonlyMap<PropertyKey, MethodTool> {
  const found = new Map<PropertyKey, MethodTool>()
  for (let holder: object | null = instance; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    for (const [key, descriptor] of descriptorsOf(holder)) {
      const make = typeof descriptor.value === 'function' ? (descriptor.value as { [mark]?: MethodTool })[mark] : undefined
      if (make && !found.has(key)) found.set(key, make)
    }
  }
  // Those behind another decorator have no mark. The nearest class has written last.
  for (const [key, make] of instances.get(instance) ?? []) if (!found.has(key)) found.set(key, make)
  return found
}

const descriptorsOf = (holder: object): readonly [PropertyKey, PropertyDescriptor][] =>
  Reflect.ownKeys(holder).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key)
    return descriptor ? [[key, descriptor] as const satisfies [PropertyKey, PropertyDescriptor]] : []
  })

function checkMethod(method: unknown, context: unknown): void {
  const refuse = (what: string): never => {
    throw new ToolDefinitionError(`@tool.method ${what}`)
  }
  // As the older decorators of TypeScript call: (prototype, key, descriptor).
  if (typeof context === 'string' || typeof context === 'symbol')
    refuse('is a standard decorator. Leave `experimentalDecorators` out of tsconfig.json.')
  const { kind, name, static: isStatic, private: isPrivate } = (context ?? {}) as Partial<ClassMethodDecoratorContext>
  if (typeof method !== 'function' || (kind !== undefined && kind !== 'method'))
    refuse(`goes before a method, not before ${kind === undefined ? `what is a ${typeof method}` : `the ${kind} ${String(name)}`}.`)
  if (isPrivate) refuse(`cannot make the private method ${String(name)} a tool: others are to call it. Take the # away.`)
  if (isStatic) refuse(`cannot make the static method ${String(name)} a tool: tools are bound to an instance. Use tool({ … }) for it.`)
}

function nameOf(method: Run, context: ClassMethodDecoratorContext | undefined): string {
  const key = context?.name ?? method.name
  if (typeof key === 'string' && key !== '') return key
  throw new ToolDefinitionError(
    `The method ${String(key) || 'without a name'} needs a name as a tool: @tool.method({ name, description, inputSchema }).`,
  )
}
