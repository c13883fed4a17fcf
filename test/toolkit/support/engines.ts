import { rgPath } from '@vscode/ripgrep'

/** Each search is done with ripgrep and without, and must come to the same. */
export const engines = [
  ['with ripgrep', rgPath],
  ['without', false],
] as const
