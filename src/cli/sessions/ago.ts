const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago something was, for a list: `3 hours ago`. */
export function agoOf(ms: number): string {
  for (const [name, size] of units) {
    const count = Math.floor(ms / size)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
