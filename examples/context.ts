// A long conversation in a small window: old results are shortened first, then the older messages become a summary.
import { Agent, compact, contextManagers, summarising, truncateResults } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'

const facts = ['plans a trip to Lisbon in May', 'and asked what to see', 'and likes trams']
const notes = scriptedModel(...facts.map((_, i) => ({ text: `The user ${facts.slice(0, i + 1).join(' ')}.` })))
const context = contextManagers([truncateResults({ keep: 3 }), summarising({ model: notes, keep: 2, at: 0.5 })])

const answers = Array.from({ length: 3 }, (_, i) => ({
  text: `Answer ${i + 1}. ${'Lisbon is hilly. '.repeat(40)}`,
  usage: { inputTokens: 200 * (i + 1), outputTokens: 170 },
}))
const model = { ...scriptedModel(...answers), contextWindow: 700 }
const agent = new Agent({ model, context })

for (const prompt of ['I want to go to Lisbon in May.', 'What should I see?', 'And by tram?']) {
  for await (const event of agent.stream(prompt)) {
    if (event.type === 'compaction') console.log(`${event.removed} messages went, ${event.tokensBefore} → ${event.tokensAfter} tokens`)
  }
}

// What a `/compact` does, with what must not get lost.
const { messages, tokensBefore, tokensAfter } = await compact(context, { messages: agent.messages, model, focus: 'dates' })
console.log(`asked for: ${tokensBefore} → ${tokensAfter} tokens, ${messages.length} messages`)
