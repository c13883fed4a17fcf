import { it } from 'vitest'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
it('x', async () => {
  for (const usage of [{ inputTokens: NaN, outputTokens: 1 }, { inputTokens: '12' as never, outputTokens: 3 }, { inputTokens: -5, outputTokens: -1 }, { inputTokens: Infinity, outputTokens: 1 }]) {
    const calls = Array.from({ length: 6 }, () => ({ calls: [{ name: 'look', input: { at: 1 } }], usage }))
    const { agent, model } = makeAgent([...calls, { text: 'ok', usage }] as never, { tools: [look(() => 'x'.repeat(900))], context: slidingWindow({ tokens: 700 }) })
    const r = await agent.invoke('go', { budget: { tokens: 100 } } as never).then((r) => [r.stopReason, r.usage, model.requests.length, model.requests.at(-1)!.messages.length], (e) => String(e))
    console.log(JSON.stringify(usage), JSON.stringify(r))
  }
})
