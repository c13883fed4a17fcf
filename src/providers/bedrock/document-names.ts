import type { ContentBlock } from '../../messages/content.ts'
import type { SendableMessage } from '../../messages/normalise.ts'

/** A little less than the API allows, to leave room for a number. */
const longest = 190

/**
 * Names for the documents of one request. The API takes letters, digits, single spaces, hyphens and brackets, and refuses a
 * request in which two documents have one name, wherever they stand.
 */
export class DocumentNames {
  readonly #used = new Set<string>()

  /** The names of a message's documents, in order. As long as nothing before them changes, they are the same ones. */
  of(message: SendableMessage): readonly string[] {
    return titlesIn(message.content).map((title) => this.#take(title))
  }

  #take(title: string): string {
    const plain = title
      .replaceAll(/[^a-zA-Z0-9\s()[\]-]+/g, '-')
      .replaceAll(/\s+/g, ' ')
      .slice(0, longest)
      .replaceAll(/^[-\s]+|[-\s]+$/g, '')
    const base = plain === '' ? 'document' : plain
    let name = base
    for (let n = 2; this.#used.has(name.toLowerCase()); n++) name = `${base} (${n})`
    this.#used.add(name.toLowerCase())
    return name
  }
}

function titlesIn(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) => {
    if (block.type === 'tool_result') return titlesIn(block.content as readonly ContentBlock[])
    return block.type === 'document' ? [block.title ?? 'document'] : []
  })
}
