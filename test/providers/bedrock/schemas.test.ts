import { describe, expect, it } from 'vitest'
import { bodyOf } from './support/ask.ts'
import { noCorpora } from '../../support/corpora.ts'
import { breaches, rules } from '../../tools/support/legal-spec.ts'
import { shownTools } from '../../tools/support/real-tools.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

type Wire = { readonly toolSpec: { readonly name: string; readonly inputSchema: { readonly json: unknown } } }

describe.skipIf(noCorpora)(`real tools on this wire${noCorpora ? ` (skipped: ${noCorpora})` : ''}`, () => {
  it('are there', () => expect(shownTools.length).toBeGreaterThan(70))

  it.each(shownTools.map((tool) => [tool.name, tool] as const))('%s is legal', async (_name, tool) => {
    const [wire] = ((await bodyOf({ tools: [tool] }))['toolConfig'] as { readonly tools: readonly Wire[] }).tools
    expect(breaches({ name: wire!.toolSpec.name, schema: wire!.toolSpec.inputSchema.json }, rules.bedrock)).toEqual([])
  })
})
