/** What a thrown thing says of itself, or `otherwise`. Anything may be thrown, also what throws when somebody reads it. */
export function saidBy(thrown: unknown, otherwise = 'something was thrown that cannot be read'): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return otherwise
  }
}
