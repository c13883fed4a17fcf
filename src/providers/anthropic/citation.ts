import type { Citation } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/** A citation in our words, and as it came: so it goes back. */
export function citationOf(wire: JsonObject): Citation {
  const { title, document_title: documentTitle, url, cited_text: quote, start_char_index: start, end_char_index: end } = wire
  const name = title ?? documentTitle
  return {
    ...(typeof name === 'string' && { title: name }),
    ...(typeof url === 'string' && { url }),
    ...(typeof quote === 'string' && { quote }),
    ...(typeof start === 'number' && { start }),
    ...(typeof end === 'number' && { end }),
    provider: { [providerName]: wire },
  }
}
