import { describe, expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, request } from '../support/answer.ts'
import { fakeFetch } from '../support/fake-fetch.ts'
import { noCorpora } from '../../support/corpora.ts'
import { breaches, rules } from '../../tools/support/legal-spec.ts'
import { shownTools } from '../../tools/support/real-tools.ts'

type Wire = { readonly name: string; readonly parameters: unknown }

describe.skipIf(noCorpora)(`real tools on this wire${noCorpora ? ` (skipped: ${noCorpora})` : ''}`, () => {
  it('are there', () => expect(shownTools.length).toBeGreaterThan(70))

  it.each(shownTools.map((tool) => [tool.name, tool] as const))('%s is legal', async (_name, tool) => {
    const { fetch, asked } = fakeFetch()
    await answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch }), request({ tools: [tool] }))
    const [wire] = (JSON.parse(asked[0]!.body) as { readonly tools: readonly { readonly function: Wire }[] }).tools.map(
      (told) => told.function,
    )
    expect(breaches({ name: wire!.name, schema: wire!.parameters }, rules.openai)).toEqual([])
  })
})
