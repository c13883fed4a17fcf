import type { Citation } from '../../../messages/content.ts'
import type { JsonObject } from '../../../util/json.ts'

/** An annotation in our words, and as it came: so it goes back. */
export function citationOf(wire: JsonObject, provider: string): Citation {
  const { title, filename, url, start_index: start, end_index: end } = wire
  const name = title ?? filename
  return {
    ...(typeof name === 'string' && name !== '' && { title: name }),
    ...(typeof url === 'string' && { url }),
    ...(typeof start === 'number' && { start }),
    ...(typeof end === 'number' && { end }),
    provider: { [provider]: wire },
  }
}
