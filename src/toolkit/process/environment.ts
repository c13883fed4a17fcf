/**
 * Names that look like keys: they end in one of these words, alone or behind an underscore (`GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`,
 * `GOOGLE_APPLICATION_CREDENTIALS`, `DB_PASSWORD`), or belong to a model provider.
 */
const secretEnd =
  /(^|_)(API_?KEYS?|AUTH_?TOKEN|TOKEN|SECRET|SECRET_KEY|ACCESS_KEY|ACCESS_KEY_ID|PRIVATE_KEY|CREDENTIALS|PASSWORD|PASSWD|PASSPHRASE|PAT)$|^(PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH)$/i
const providerStart = /^(ANTHROPIC|OPENAI|AZURE_OPENAI|AWS_BEARER_TOKEN|AWS_CONTAINER|AWS_WEB_IDENTITY)_/i

/** Programs that nobody can answer or page through. */
const quiet: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
}

/** Ask for colours although the output is no terminal. */
const loud = /^(FORCE_COLOR|CLICOLOR_FORCE)$/

/**
 * The environment of a command: what is given, without keys, set for a reader that is no person. It keeps keys from being printed
 * or sent by accident; a command that sets out to can still read the files of the user.
 *
 * @param keep names that are passed on although they look like keys.
 */
export function environmentFor(given: Readonly<Record<string, string | undefined>>, keep: readonly string[] = []): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || loud.test(name)) continue
    if (keep.includes(name) || !isSecret(name)) environment[name] = value
  }
  return { ...environment, ...quiet }
}

const isSecret = (name: string): boolean => secretEnd.test(name) || providerStart.test(name)
