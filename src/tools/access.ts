export type CommandForm = {
  readonly text: string
  /** The text is only how the command begins: what follows is not known. */
  readonly isOpen: boolean
}

/** What one call touches, as the tool itself says: what the rules of permissions are compared with. */
export type Access = {
  /** Commands that it runs. Every one must be allowed for the call to be. */
  readonly commands?: readonly CommandForm[] | undefined
  /** All ways to name what it runs. One that is denied denies the call. Default: `commands`. */
  readonly forms?: readonly CommandForm[] | undefined
  /** Files, absolute or from the workspace. `isMentioned`: what it does with them is not known. */
  readonly paths?:
    | readonly { readonly path: string; readonly writes?: boolean | undefined; readonly isMentioned?: boolean | undefined }[]
    | undefined
  /** It may do more than can be seen in its input: rules with a pattern do not allow it. */
  readonly isOpaque?: boolean | undefined
  readonly url?: string | undefined
}
