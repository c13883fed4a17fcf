export type CommandForm = {
  readonly text: string
  /** The text is only how the command begins: what follows is not known. */
  readonly isOpen: boolean
  /** It may be no command at all: a rule that speaks of it asks. */
  readonly isGuess?: boolean | undefined
}

export type AccessPath = {
  readonly path: string
  readonly writes?: boolean | undefined
  /** What it does with it is not known. */
  readonly isMentioned?: boolean | undefined
  /** It may be no file at all: a rule that speaks of it asks, and where it lies does not matter. */
  readonly isGuess?: boolean | undefined
  /** It reads the files below it, too: those of which this says yes, by their paths from there. */
  readonly below?: ((path: string) => boolean) | undefined
  /**
   * Which files may lie below it, by their paths from there, where those that are there now are not what counts. `any`: also one that
   * is gone, as a history of versions keeps it.
   */
  readonly among?: readonly string[] | 'any' | undefined
}

/** What one call touches, as the tool itself says: what the rules of permissions are compared with. */
export type Access = {
  /** Commands that it runs. Every one must be allowed for the call to be. */
  readonly commands?: readonly CommandForm[] | undefined
  /** All ways to name what it runs. One that is denied denies the call. Default: `commands`. */
  readonly forms?: readonly CommandForm[] | undefined
  /** Files, absolute or from the workspace. */
  readonly paths?: readonly AccessPath[] | undefined
  /** It may do more than can be seen in its input: rules with a pattern do not allow it. */
  readonly isOpaque?: boolean | undefined
  readonly url?: string | undefined
}
