import { tool, toolsOf } from 'lena-agent'
import type { Tool, ToolContext } from 'lena-agent'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const definition = { description: 'd', inputSchema: z.object({ city: z.string(), days: z.number().default(1) }) }

class Weather {
  @tool.method(definition)
  whole({ city, days }: { city: string; days: number }, context: ToolContext): string {
    return `${context.toolUse.name} ${city} ${days}`
  }

  @tool.method(definition)
  part(input: { city: string; days?: number }): string {
    return input.city
  }

  @tool.method(definition)
  nothing(): number {
    return 1
  }

  @tool.method(definition)
  async optional(_input: { city: string }, _context?: ToolContext): Promise<void> {}

  // @ts-expect-error the schema gives a string
  @tool.method(definition)
  wrongKind(_input: { city: number }): void {}

  // @ts-expect-error the schema gives no country
  @tool.method(definition)
  asksForMore(_input: { city: string; country: string }): void {}

  // @ts-expect-error nothing is passed third
  @tool.method(definition)
  third(_input: { city: string }, _context: ToolContext, _third: string): void {}
}

it('checks the parameters of a decorated method against the schema', () => {
  expectTypeOf(toolsOf(new Weather())).toEqualTypeOf<readonly Tool[]>()
  expectTypeOf(new Weather().part).returns.toEqualTypeOf<string>()
  expect(toolsOf(new Weather()).map(({ name }) => name)).toEqual([
    'whole',
    'part',
    'nothing',
    'optional',
    'wrongKind',
    'asksForMore',
    'third',
  ])
})
