const patterns = new Map<string, RegExp>()

/**
 * Patterns are written for the `u` flag; those of other languages often are not legal with it, and get none. A pattern may take
 * exponential time on a hostile text: give patterns only to schemas whose authors you trust as you trust their code.
 */
export function patternOf(source: string): RegExp {
  let pattern = patterns.get(source)
  if (!pattern) {
    try {
      pattern = new RegExp(source, 'u')
    } catch {
      pattern = new RegExp(source)
    }
    // What is kept is bounded, so that schemas that come and go leave nothing behind.
    if (patterns.size >= 1000) patterns.clear()
    patterns.set(source, pattern)
  }
  return pattern
}
