import { memoryResults } from './memory-results.ts'
import type { ResultStore } from './result-store.ts'

/** Where an agent keeps large results unless it is told: the user's private folder on Node, memory elsewhere. */
export const defaultResults = (): ResultStore => (globalThis.process?.versions?.node === undefined ? memoryResults() : lazyFiles())

/** Most agents never have a large result: what works on files is loaded with the first. */
function lazyFiles(): ResultStore {
  let loading: Promise<ResultStore> | undefined
  const store = (): Promise<ResultStore> => (loading ??= import('./file-results.ts').then(({ fileResults }) => fileResults()))
  return {
    readers: [{ name: 'read_file', offset: 'line' }],
    put: async (result, options) => (await store()).put(result, options),
    read: async (path, options) => (await store()).read(path, options),
    owns: async (path) => (await store()).owns(path),
    remove: async (conversationId) => (await store()).remove(conversationId),
  }
}
