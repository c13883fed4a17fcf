/**
 * Puts variables into a text: `${NAME}`, and `${NAME:-text}` with what stands in where there is none. `$$` is a plain `$`.
 *
 * @throws what `fail` makes of a variable that is not there.
 */
export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
  fail: (said: string) => Error,
): string {
  return text.replaceAll(/\$\$|\$\{([^}]*)\}/g, (whole, inside: string | undefined) => {
    if (inside === undefined) return '$'
    const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/.exec(inside) ?? []
    if (name === undefined) throw fail(`${whole} names no variable; write \${NAME} or \${NAME:-text}`)
    const value = variables[name]
    if (value !== undefined && (value !== '' || fallback === undefined)) return value
    if (fallback === undefined) throw fail(`the environment variable ${name} is not set; set it, or write \${${name}:-text}`)
    return fallback
  })
}
