import { textOf } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'

/**
 * What a model step answers, as a short text that is the same in a replay and another for another prompt. Of the words alone: ids are
 * new in each process, and results say where they were stored.
 */
export function fingerprintOf(message: Message | undefined): string | undefined {
  const words = message ? textOf(message) : ''
  if (words === '') return undefined
  // Two runs of FNV-1a (public domain) over the UTF-16 units: 64 bits, so that two prompts are hardly ever the same.
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let i = 0; i < words.length; i++) {
    const unit = words.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  return [low, high].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
