/** A tool's name as it is compared: models mix up `-`, `_` and case. */
export const foldToolName = (name: string): string => name.replaceAll('-', '_').toLowerCase()
