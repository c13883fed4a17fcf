/** One result, whole, as it is given away to be kept. */
export type StoredResult = {
  readonly text: string
  readonly callId: string
  /** Results are removed together with their conversation. */
  readonly conversationId: string
  readonly toolName?: string | undefined
}

/** A piece of a stored result. Positions are UTF-16 units, as `length` counts; no surrogate pair is ever cut in two. */
export type ResultPage = {
  readonly text: string
  /** Where `text` begins: the offset that was asked for, or one less where that lay inside a surrogate pair. */
  readonly offset: number
  /** Length of the whole result. */
  readonly chars: number
}

/** A tool that opens a `path` of the store by itself, and what its parameter `offset` counts from where it is known. */
export type ResultReader = { readonly name: string; readonly offset?: 'line' | 'character' | undefined }

/**
 * Where results go that are too large for the model. It sees the `path` of one, and reads on by it.
 *
 * Whatever a method throws ends no run: a result that cannot be stored is cut, with a mark that says so and why. Half a
 * surrogate pair, which UTF-8 cannot carry, may come back as U+FFFD.
 */
export interface ResultStore {
  /** Tools that can open a `path` of this store. An agent that has none of them is given `read_result`. Default: none. */
  readonly readers?: readonly ResultReader[] | undefined
  /** Keeps a result. The path must be new each time, and nothing that somebody else could guess. Should end when the signal fires. */
  put(result: StoredResult, options: { readonly signal: AbortSignal }): Promise<{ readonly path: string }>
  /**
   * At most `limit` characters from `offset` on (one more where half a surrogate pair would be left); an empty text at the end.
   *
   * @throws for a path that is not of this store, or whose result is no longer kept.
   */
  read(path: string, options: { readonly offset: number; readonly limit: number; readonly signal: AbortSignal }): Promise<ResultPage>
  /** Is this the path of a result that is kept here? Reading such a path needs no permission. Never rejects. */
  owns(path: string): Promise<boolean>
  /** Removes all results of a conversation. One that has none is no error. */
  remove(conversationId: string): Promise<void>
}

export type StoreOptions = { readonly signal?: AbortSignal | undefined }
export type ReadOptions = StoreOptions & { readonly offset?: number | undefined; readonly limit?: number | undefined }

/**
 * A store that comes with Lena. An agent always gives all options; a program that calls the store by hand may leave them out:
 * `await results.read(path)` is the whole result.
 *
 * @throws {InputError} (each method but `owns`) that says what was expected and what came.
 */
export interface OwnResultStore extends ResultStore {
  put(result: StoredResult, options?: StoreOptions): Promise<{ readonly path: string }>
  read(path: string, options?: ReadOptions): Promise<ResultPage>
}
