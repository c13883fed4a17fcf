import type { AssistantBlock } from '../../messages/content.ts'
import type { JsonObject } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { providerName } from './options.ts'

/**
 * What a block keeps for the API, which wants each signature back on exactly the part on which it came.
 *
 * A signature may come on a part whose text is empty. Then `emptyPart` tells the kind of that part: it stands behind the
 * block's own text. Such a part that follows no text of its kind is a reasoning block without text.
 */
export type OwnData = {
  readonly id?: string | undefined
  readonly thoughtSignature?: string | undefined
  readonly emptyPart?: 'text' | 'thought' | false | undefined
  /** The whole part, of a tool that the server ran. */
  readonly part?: JsonObject | undefined
}

/** What this provider gave with the block; nothing when the block is another's. Images may have it, too. */
export function ownData(block: AssistantBlock): OwnData | undefined {
  const data = 'provider' in block ? block.provider : undefined
  return isObject(data) ? data[providerName] : undefined
}
