import type { InferInput } from '../tools/standard-schema.ts'
import type { ToolSource, Tools } from '../tools/registry.ts'
import type { FunctionTool, ToolOutcome } from '../tools/tool.ts'
import type { JsonObject } from '../util/json.ts'
import type { CallOptions } from './direct-call.ts'

type DirectCall<T> =
  T extends FunctionTool<any, infer S, any> ? (input: InferInput<S>, options?: CallOptions) => Promise<ToolOutcome> : never

/** The tools among the sources, and those in arrays among them. */
type Known<Source> =
  Source extends FunctionTool<any, any, any>
    ? Source
    : Source extends readonly (infer Item)[]
      ? Extract<Item, FunctionTool<any, any, any>>
      : never

/** A function for each tool: it takes what the tool's schema takes, and gives how the call ended. */
export type DirectCalls<Given extends readonly ToolSource[]> = {
  readonly [T in Known<Given[number]> as T['name']]: DirectCall<T>
}

/** Names that others ask any object for, such as `await` and `JSON.stringify`; no such function is made up. */
const notCalls = new Set([...Object.getOwnPropertyNames(Object.prototype), 'then', 'toJSON', 'asymmetricMatch', 'nodeType'])

/**
 * The tools as functions, by their names as they are at that moment. A name that is not there is a function too: the tools of
 * a provider come with the first call, and an error of the call says more than `undefined`.
 */
export function directCalls<Given extends readonly ToolSource[]>(
  tools: Tools,
  call: (name: string, input: JsonObject, options?: CallOptions) => Promise<ToolOutcome>,
): DirectCalls<Given> {
  const callOf = (key: string | symbol): unknown => {
    if (typeof key !== 'string' || (notCalls.has(key) && !tools.get(key))) return undefined
    return (input: JsonObject, options?: CallOptions) => call(key, input, options)
  }
  return new Proxy({} as DirectCalls<Given>, {
    get: (_, key) => callOf(key),
    has: (_, key) => typeof key === 'string' && tools.current.find(key) !== undefined,
    ownKeys: () => [...tools.names],
    getOwnPropertyDescriptor: (_, key) =>
      typeof key === 'string' && tools.get(key) ? { value: callOf(key), enumerable: true, configurable: true } : undefined,
    // It is a view: tools are added with agent.tools.
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  })
}
