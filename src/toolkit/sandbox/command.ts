export type Command = { readonly program: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
/** A command in its sandbox. `ended` is called once it has ended, or was not started at all. */
export type Wrapped = Command & { readonly ended?: (() => Promise<void>) | undefined }
export type Where = { readonly cwd: string; readonly recordFolder: string | undefined; readonly signal: AbortSignal }

/** Puts commands into a sandbox. */
export interface Sandbox {
  /** @throws {Error} when there is none: then nothing must be run. */
  wrap(command: Command, where: Where): Promise<Wrapped>
}

export const cannot = (why: string): Error =>
  new Error(`Commands run in a sandbox only, and ${why}. Nothing was run. Tell the user; do not try another way.`)
