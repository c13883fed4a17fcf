/**
 * What runs in the worker thread, around the user's module. Plain JavaScript in a text, loaded from a `data:` URL: a file of its own
 * would be lost when somebody bundles us, and needs a compiler when we run from the sources.
 *
 * It takes one call from the port, then sends { started, threadId }, any number of { progress } (each answered when it was
 * taken), and { done } or { failed }.
 */
export const bootstrapUrl = (): string => `data:text/javascript,${encodeURIComponent(source)}`

const source = /* js */ `
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

export default async function run({ port }) {
  // A call without a port only wakes a thread for those who wait.
  if (!port) return
  const waiting = []
  const arrived = once(port, 'message')
  port.postMessage({ type: 'started', threadId })
  const [{ url, bases, input, toolUse, idempotencyKey }] = await arrived
  port.on('message', () => waiting.shift()?.())
  const progress = async (value) => {
    port.postMessage({ type: 'progress', value })
    await new Promise((resolve) => waiting.push(resolve))
  }
  try {
    const work = await load(url, bases)
    const returned = await work(input, { toolUse, idempotencyKey, progress })
    const value = isAsyncGenerator(returned) ? await drain(returned, progress) : returned
    answer(port, value)
  } catch (error) {
    fail(port, error)
  }
}

function answer(port, value) {
  try {
    port.postMessage({ type: 'done', value })
  } catch (error) {
    throw new TypeError('the worker ran, but its result cannot be sent to the main thread: ' + error.message, { cause: error })
  }
}

function fail(port, error) {
  try {
    port.postMessage({ type: 'failed', error: error instanceof Error ? described(error, 0) : { thrown: error } })
  } catch {
    port.postMessage({ type: 'failed', error: { thrown: String(error) } })
  }
}

// A clone of an error keeps neither a name of its own nor its code.
function described({ name, message, stack, code, cause }, depth) {
  const plain = { name: String(name), message: String(message), stack: String(stack) }
  if (typeof code === 'string' || typeof code === 'number') plain.code = code
  if (cause instanceof Error && depth < 5) plain.cause = described(cause, depth + 1)
  return plain
}

const isAsyncGenerator = (value) =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value.next === 'function'

async function drain(generator, progress) {
  let last
  for (;;) {
    const { done, value } = await generator.next()
    if (done) return value === undefined ? last : value
    last = value
    await progress(value)
  }
}

async function load(url, bases) {
  const loaded = await importModule(url, bases)
  // A module of the older kind has its default export one level down.
  for (const work of [loaded.default, loaded.default?.default]) if (typeof work === 'function') return work
  throw new TypeError(url + ' needs a default export (input, context) => result; it has ' + (Object.keys(loaded).join(', ') || 'no exports') + '.')
}

const unreadable = [
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNKNOWN_MODULE_FORMAT',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
]

async function importModule(url, bases) {
  try {
    return await import(url)
  } catch (error) {
    if (!unreadable.includes(error?.code) || !url.startsWith('file:')) throw error
    return await jitiFrom(bases, error)(url, { interopDefault: false, fsCache: false }).import(fileURLToPath(url))
  }
}

function jitiFrom(bases, cause) {
  for (const base of bases) {
    try {
      return createRequire(base)('jiti')
    } catch {}
  }
  throw new Error('This version of Node does not read TypeScript. Install jiti for it (npm install jiti), or give a JavaScript file.', { cause })
}
`
