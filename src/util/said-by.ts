/** What a thrown thing says of itself. Anything may be thrown, also what throws when somebody reads it. */
export function saidBy(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'something was thrown that cannot be read'
  }
}
