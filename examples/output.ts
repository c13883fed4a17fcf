// Answers with a shape: the type of `output` comes from the schema; an answer that does not fit goes back to the model.
import assert from 'node:assert/strict'
import { Agent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { z } from 'zod'

const Trip = z.object({
  city: z.string(),
  days: z.number().int().min(1),
  stops: z.array(z.object({ name: z.string(), why: z.string() })),
})

const good = { city: 'Oslo', days: 2, stops: [{ name: 'Opera', why: 'You can walk on its roof.' }] }
// By a tool, where a provider cannot hold the model to a schema. The first answer has no days, and the model is told so.
const answers = [{ city: 'Oslo', days: 0, stops: [] }, good]
const model = scriptedModel(...answers.map((input) => ({ calls: [{ name: 'final_answer', input }] })))
const agent = new Agent({ model })

// What is there so far, for a page that fills up; a partial answer has nothing of a wrong type.
const { output } = await agent.invoke('Two days in Oslo?', {
  output: Trip,
  onEvent: (event) => {
    if (event.type === 'output_delta') console.log('so far', JSON.stringify(event.partial))
  },
})
console.log(`${output.days} days in ${output.city}: ${output.stops.map(({ name }) => name).join(', ')}`)
assert.deepEqual(output, good)
