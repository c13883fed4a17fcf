// How an agent is tested: a scripted model, a clock and ids that a test can write down, a recorded run, and the suites for one's own
// models and tools. No key, no network, no waiting.
import assert from 'node:assert/strict'
import { Agent, tool } from 'lena-agent'
import { checkEvents, collect, countingIds, fakeClock, recorder, scriptedModel, toolConformance } from 'lena-agent/testing'
import type { Recorder } from 'lena-agent/testing'
import { z } from 'zod'

const makePrice = (prices: Readonly<Record<string, number>>) =>
  tool({
    name: 'price',
    description: 'Price of an item, in euros.',
    inputSchema: z.object({ item: z.string() }),
    isReadOnly: true,
    isConcurrencySafe: true,
    execute: ({ item }) => prices[item] ?? 'not sold here',
  })
const price = makePrice({ tea: 3, cake: 5 })

// 1. A script: one step for each call of the model.
const script = () =>
  scriptedModel(
    {
      calls: [
        { name: 'price', input: { item: 'tea' } },
        { name: 'price', input: { item: 'cake' } },
      ],
    },
    ({ messages }) => ({ text: `Together 8 €, from ${messages.at(-1)!.content.length} results.` }),
  )
{
  const model = script()
  const agent = new Agent({ model, tools: [price], clock: fakeClock(), ids: countingIds() })
  const { events, result } = await collect(agent.stream('Tea and cake?'))
  assert.equal(result?.text, 'Together 8 €, from 2 results.')
  assert.deepEqual(checkEvents(events), [])
  model.assertComplete()
}

// 2. A recording: with a file it would be `recorder({ file: 'test/cassettes/price.jsonl' })`, and a real model.
const run = async (tape: Recorder, tools = [price], prompt = 'Tea and cake?') => {
  const agent = new Agent({ model: tape.model(script), tools: tools.map((one) => tape.tool(one)), clock: tape.clock, ids: tape.ids })
  return await collect(agent.stream(prompt))
}
const recording = recorder()
const recorded = await run(recording)
await recording.close()
const { cassette } = recording
console.log(`recorded: ${cassette.entries.length} entries`)

// The replay is the same run, whole events. No model is asked, no tool is run.
const replay = recorder({ cassette })
const replayed = await run(replay)
await replay.close()
assert.deepEqual(JSON.parse(JSON.stringify(replayed.events)), JSON.parse(JSON.stringify(recorded.events)))

// Where one thing is not as it was, they part, and it is said where.
const changed = await run(recorder({ cassette }), [price], 'Tea or cake?')
console.log(changed.error?.message)
assert.match(changed.error!.message, /model call 1 .*messages\[0\]\.content\[0\]\.text: expected "Tea and cake\?", got "Tea or cake\?"/)

// The same for a tool that is really run, on the recorded conversation.
const dearer = await run(recorder({ cassette, live: ['price'] }), [makePrice({ tea: 3, cake: 6 })])
console.log(dearer.error?.message)
assert.match(dearer.error!.message, /the end of tool run 2: value: expected 5, got 6/)

// 3. A suite for a tool of one's own. `test` is that of node:test, vitest or Jest; here each test is run at once.
const tests: (() => Promise<void>)[] = []
toolConformance({ test: (_name, fn) => void tests.push(fn) }, () => price, { input: { item: 'tea' }, invalid: { item: 3 } })
for (const test of tests) await test()
console.log(`${tests.length} tests of the tool passed`)
