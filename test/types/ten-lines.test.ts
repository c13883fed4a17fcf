import { Agent, tool } from 'lena-agent'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

// The ten lines that a newcomer reads first, in strict mode and without one annotation.
const weather = tool({
  name: 'weather',
  description: 'Current weather of a city.',
  inputSchema: z.object({ city: z.string().describe('for example Tokyo') }),
  isReadOnly: true,
  isConcurrencySafe: true,
  execute: ({ city }) => {
    expectTypeOf(city).toEqualTypeOf<string>()
    return `${city}: 22 °C`
  },
})
const agent = new Agent({ model: 'anthropic/claude-sonnet-4-6', tools: [weather] })

it('is a tool, a function, and of an agent', () => {
  expectTypeOf(weather).parameter(0).toEqualTypeOf<{ city: string }>()
  expect(weather({ city: 'Tokyo' })).toBe('Tokyo: 22 °C')
  expect(weather.name).toBe('weather')
  expect(agent.tools.specs).toEqual([
    {
      name: 'weather',
      description: 'Current weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string', description: 'for example Tokyo' } }, required: ['city'] },
    },
  ])
})
