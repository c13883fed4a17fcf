const undoing = new Set<() => void>()

/**
 * What is to be undone about a terminal when the program ends, however it ends. The function that comes back is for the usual case,
 * in which whoever changed it has changed it back.
 */
export function undoAtEnd(undo: () => void): () => void {
  undoing.add(undo)
  return () => void undoing.delete(undo)
}

/** Gives the terminal back as it was found. May be called twice, and from the handler of any end. */
export function restoreTerminal(): void {
  const all = [...undoing].reverse()
  undoing.clear()
  for (const undo of all) {
    try {
      undo()
    } catch {
      // The terminal may be gone. The others are still to be undone.
    }
  }
}
