import type { CitationsDelta } from '@aws-sdk/client-bedrock-runtime'
import type { Citation } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/** A citation in our words, and as it came. */
export function citationOf(wire: CitationsDelta): Citation {
  const { title, source, sourceContent, location } = wire
  const { web, documentChar } = location ?? {}
  const name = title ?? web?.domain
  const url = web?.url ?? (source && URL.canParse(source) ? source : undefined)
  const quote = sourceContent?.map(({ text }) => text ?? '').join('')
  return {
    ...(name && { title: name }),
    ...(url && { url }),
    ...(quote && { quote }),
    ...(documentChar?.start !== undefined && { start: documentChar.start }),
    ...(documentChar?.end !== undefined && { end: documentChar.end }),
    provider: { [providerName]: wire as unknown as JsonObject },
  }
}
