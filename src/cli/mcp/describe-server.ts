import { visible } from '../trust/visible.ts'
import { isObject } from './servers-in.ts'

/** A program's arguments are judged whole, for all that one looks at. */
const mostChars = 2000

/**
 * What a server of a file does when it is used, for the person who decides: everything that is run, reached and handed over, as the
 * file has it, without a variable filled in.
 */
export function describeServer(name: string, server: unknown): readonly string[] {
  const { command, args, cwd, env, url, headers, annotations, disabled } = isObject(server) ? server : {}
  const head = `${visible(quoted(name))}${disabled === true ? ' (disabled)' : ''}:`
  const lines: string[] = []
  if (typeof command === 'string') {
    const words = [command, ...(Array.isArray(args) ? args : [])]
    lines.push(`${head} runs ${visible(words.map(quoted).join(' '), mostChars)}`)
    if (typeof cwd === 'string') lines.push(`  in ${visible(cwd)}`)
  } else if (typeof url === 'string') lines.push(`${head} connects to ${visible(url, mostChars)}`)
  else lines.push(`${head} cannot be used: it has neither "command" nor "url"`)
  for (const [what, map] of [
    ['with', env],
    ['sends', headers],
  ] as const)
    if (isObject(map)) for (const [key, value] of Object.entries(map)) lines.push(`  ${what} ${visible(key)}=${visible(wordOf(value))}`)
  // By this calls may run that would be asked about.
  if (isObject(annotations))
    for (const [tool, said] of Object.entries(annotations))
      lines.push(`  has you take for true of ${visible(quoted(tool))}: ${visible(wordOf(said))}`)
  const variables = variablesOf(server)
  if (variables.length > 0) lines.push(`  takes from your environment: ${visible(variables.join(', '))}`)
  return lines
}

/** The variables of the environment that a server is given. */
export function variablesOf(server: unknown): readonly string[] {
  const names = [...JSON.stringify(server ?? null).matchAll(/\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name]) => name)
  return [...new Set(names.filter((name) => name !== undefined))]
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** As one would write it for a shell, so that one sees where an argument ends. */
export function quoted(value: unknown): string {
  const word = wordOf(value)
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
