import { Agent, tool } from 'lena-agent'
import type { CallOptions, ToolOutcome } from 'lena-agent'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city.',
  inputSchema: z.object({ city: z.string(), days: z.number().default(1) }),
  execute: ({ city, days }) => `${city}: ${days}`,
})
const add = tool({
  name: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number() }),
  execute: ({ a }) => a,
})
const agent = new Agent({ model: 'offline', tools: [weather, [add]] })

it('agent.tool takes what the schema takes, and gives how the call ended', async () => {
  expectTypeOf(agent.tool.weather).parameter(0).toEqualTypeOf<{ city: string; days?: number | undefined }>()
  expectTypeOf(agent.tool.weather).parameter(1).toEqualTypeOf<CallOptions | undefined>()
  expectTypeOf(agent.tool.weather).returns.toEqualTypeOf<Promise<ToolOutcome>>()
  expectTypeOf(agent.tool.add).parameter(0).toEqualTypeOf<{ a: number }>()
  expect((await agent.tool.weather({ city: 'Tokyo' })).value).toBe('Tokyo: 1')
  expect((await agent.tool.add({ a: 2 }, { record: false })).value).toBe(2)
})

it('agent.tool knows no other tools; callTool takes any name', async () => {
  // @ts-expect-error there is no such tool
  await expect(agent.tool.wether({ city: 'Tokyo' })).rejects.toThrow('Did you mean "weather"?')
  // @ts-expect-error a number is not a city
  expect(await agent.tool.weather({ city: 7 })).toMatchObject({ code: 'invalid_input' })
  expect((await agent.callTool('weather', { city: 'Oslo' })).value).toBe('Oslo: 1')
})

it('an agent with tools is an agent, whatever its state', () => {
  const plain: Agent = agent
  expectTypeOf(plain.tool).toEqualTypeOf<{}>()
  const counted = new Agent<{ count: number }>({ model: 'offline', tools: [weather], state: { count: 0 } })
  expectTypeOf(counted.state).toEqualTypeOf<{ count: number }>()
  expectTypeOf(new Agent({ model: 'offline' }).tool).toEqualTypeOf<{}>()
})
