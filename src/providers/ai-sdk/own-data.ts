import type { AssistantBlock } from '../../messages/content.ts'
import { isObject } from '../../util/json.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Metadata } from './spec.ts'

/** What a block keeps for its provider. Anything from the provider has it, and be it empty; but for texts and calls. */
export type OwnData = {
  /** Its own id of a call. */
  readonly id?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Of the result of a tool that the provider ran. */
  readonly toolName?: string | undefined
  readonly isError?: boolean | undefined
  /** A part that has no name with us, whole. */
  readonly part?: JsonObject | undefined
}

/** What this provider gave with the block; nothing when the block is another's. Images may have it, too. */
export function ownData(block: AssistantBlock, provider: string): OwnData | undefined {
  const data = 'provider' in block ? block.provider : undefined
  return isObject(data) ? data[provider] : undefined
}

/** Metadata goes back as options of the part. */
export const optionsOf = (own: OwnData | undefined): { readonly providerOptions?: Metadata } =>
  own?.metadata ? { providerOptions: own.metadata } : {}
