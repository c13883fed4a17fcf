import type { AsyncLocalStorage } from 'node:async_hooks'

type Link = { readonly of: object; readonly above: Link | undefined }

let storage: AsyncLocalStorage<Link> | undefined
/** How much is under way. While it is nothing, nobody pays for the following of promises. */
let open = 0

/** The runtime's own; a browser has none. */
function storageOf(): AsyncLocalStorage<Link> | undefined {
  const { process } = globalThis as { readonly process?: NodeJS.Process }
  const found = process?.getBuiltinModule?.('node:async_hooks')
  return (storage ??= found && new found.AsyncLocalStorage<Link>())
}

/** Does the work, and all that it begins, as a part of `of`. */
export async function within<T>(of: object, work: () => Promise<T>): Promise<T> {
  const chain = storageOf()
  if (!chain) return await work()
  open++
  try {
    return await chain.run({ of, above: chain.getStore() }, work)
  } finally {
    if (--open === 0) chain.disable()
  }
}

/** Is this code a part of it: called by its work, however far below, and whatever was waited for on the way? */
export function isWithin(of: object): boolean {
  for (let link = storage?.getStore(); link; link = link.above) if (link.of === of) return true
  return false
}
