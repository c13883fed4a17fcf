/** `prefix` of a client is at most 32 characters long. */
const mostChars = 32 - 'mcp____'.length

/**
 * What stands before the names of a server's tools: `mcp__github__`, as other agents have it, so that rules are the same. No two
 * servers have the same, and no tool of another kind begins like this.
 */
export function prefixesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    // Without "__", which is where a server's name ends.
    const plain = name.replaceAll(/[^A-Za-z0-9-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'server'
    for (let count = 1; ; count++) {
      const end = count === 1 ? '' : `_${count}`
      const short = `${plain.slice(0, mostChars - end.length).replace(/_+$/, '')}${end}`
      if (taken.has(short.toLowerCase())) continue
      taken.add(short.toLowerCase())
      prefixes.set(name, `mcp__${short}__`)
      break
    }
  }
  return prefixes
}
