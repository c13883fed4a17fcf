/**
 * The data of one event, or of the several that a careless server put into it: lines of data belong together until a blank line
 * comes, and some servers leave it out. Lines of one JSON value are never whole values themselves, so nothing is taken apart that
 * belongs together.
 */
export function dataOfEach(data: string): readonly string[] {
  if (!data.includes('\n')) return [data]
  const lines = data.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every(isWhole) ? lines : [data]
}

function isWhole(line: string): boolean {
  if (line.trim() === '[DONE]') return true
  // Cheap, and true of no line in the midst of a value but the smallest.
  if (!line.trimStart().startsWith('{') || !line.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
