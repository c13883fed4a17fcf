import { expect, test } from 'vitest'
import { Agent, memoryResults } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { sketch } from '../../support/sketch.ts'
import { fetcher, page, siteWith } from './support/site.ts'

const asking = (url: string) => scriptedModel({ calls: [{ name: 'web_fetch', input: { url } }] }, { text: 'Done.' })

test('a long page goes to the result store, and the model is told how to read on', async () => {
  const { port } = await siteWith(page(`<p>${'word '.repeat(20_000)}last</p>`))
  const results = memoryResults()
  const agent = new Agent({ model: asking(`http://site.example:${port}/`), tools: [fetcher()], results })
  const kept: { readonly ref: string; readonly chars: number }[] = []
  await agent.invoke('Read it.', {
    onEvent: (event) => {
      if (event.type === 'result_persisted') kept.push(event)
    },
  })
  expect(kept).toHaveLength(1)
  const { text } = await results.read(kept[0]!.ref, { offset: 0, limit: 200_000, signal: new AbortController().signal })
  expect(text).toMatch(/^\[Text from the web, .*\]\n(word )+last\n\[End of the text from the web\.\]$/)
  expect(sketch(agent.messages)[2]!.length).toBeLessThan(5000)
})

test.each([
  [['deny web_fetch(site.example)'], 0],
  [['deny web_fetch(*.example)'], 0],
  [['deny web_fetch(example)'], 1],
  [['ask web_fetch'], 0],
  [[], 1],
])('with the rules %j it is asked %i times', async (rules, times) => {
  const { port, seen } = await siteWith(page('hello'))
  const agent = new Agent({ model: asking(`http://site.example:${port}/`), tools: [fetcher()], plugins: [permissions({ rules })] })
  await agent.invoke('Read it.')
  expect(seen).toHaveLength(times)
})
