import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InputError, ToolDefinitionError } from '../../../src/errors.ts'
import { toolsOf } from '../../../src/tools/method.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { Tool, ToolContext } from '../../../src/tools/tool.ts'

const inputSchema = z.object({ city: z.string() })
type City = z.output<typeof inputSchema>

class Weather {
  #asked = 0
  readonly unit: string
  constructor(unit = '°C') {
    this.unit = unit
  }

  @tool.method({ description: 'Weather of a city.', inputSchema, isReadOnly: true, isConcurrencySafe: ({ city }) => city, timeoutMs: 10 })
  current({ city }: City): string {
    return `${city}: 22 ${this.unit}, asked ${++this.#asked}`
  }

  @tool.method({ name: 'weather_forecast', description: 'Forecast.', inputSchema })
  async *forecast({ city }: City, context?: ToolContext): AsyncGenerator<string, string> {
    yield context?.toolUse.name ?? 'no context'
    return `${city}: rain in ${this.unit}`
  }

  notATool(): string {
    return 'x'
  }
}

const called = (tools: readonly Tool[], name: string): Tool => tools.find((tool) => tool.name === name)!
const direct = (made: Tool, input: unknown): unknown => (made as unknown as (input: unknown) => unknown)(input)

describe('toolsOf', () => {
  it('gives a tool for each decorated method, with all that is said of it', () => {
    expect(toolsOf(new Weather()).map((made) => ({ ...made }))).toEqual([
      {
        name: 'current',
        description: 'Weather of a city.',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        validate: expect.any(Function) as unknown,
        run: expect.any(Function) as unknown,
        isReadOnly: true,
        isConcurrencySafe: expect.any(Function) as unknown,
        timeoutMs: 10,
      },
      {
        name: 'weather_forecast',
        description: 'Forecast.',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        validate: expect.any(Function) as unknown,
        run: expect.any(Function) as unknown,
      },
    ])
  })

  it('binds each to its instance, private fields and all', () => {
    const [celsius, fahrenheit] = [toolsOf(new Weather()), toolsOf(new Weather('°F'))]
    expect([
      direct(called(celsius, 'current'), { city: 'Oslo' }),
      direct(called(celsius, 'current'), { city: 'Oslo' }),
      direct(called(fahrenheit, 'current'), { city: 'Oslo' }),
    ]).toEqual(['Oslo: 22 °C, asked 1', 'Oslo: 22 °C, asked 2', 'Oslo: 22 °F, asked 1'])
  })

  it('passes the context of the run on as it is', async () => {
    const context = { toolUse: { id: 'call_1', name: 'weather_forecast', input: {} } }
    const whole = { ...context, idempotencyKey: 'k', agent: {}, invocationState: {}, state: {}, signal: new AbortController().signal }
    const full = { ...whole, progress: async () => {}, endTurn: () => {}, interrupt: () => 1 } as unknown as ToolContext
    let given: unknown
    class Probe {
      @tool.method({ description: 'd', inputSchema })
      probe(_input: City, context: ToolContext): void {
        given = context
      }
    }
    toolsOf(new Probe())[0]!.run({ city: 'a' }, full)
    expect(given).toBe(full)
  })

  it('finds inherited methods, and one that is overridden just once: what runs is the newest', () => {
    class Better extends Weather {
      override current({ city }: City): string {
        return `better: ${super.current({ city })}`
      }
    }
    class Best extends Weather {
      @tool.method({ name: 'best', description: 'The best.', inputSchema })
      override current({ city }: City): string {
        return `best of ${city}`
      }
      @tool.method({ description: 'More.', inputSchema })
      more({ city }: City): string {
        return `more of ${city}`
      }
    }
    const better = toolsOf(new Better())
    const best = toolsOf(new Best())
    expect(better.map(({ name }) => name)).toEqual(['current', 'weather_forecast'])
    expect(best.map(({ name }) => name)).toEqual(['best', 'more', 'weather_forecast'])
    expect(direct(called(better, 'current'), { city: 'Oslo' })).toBe('better: Oslo: 22 °C, asked 1')
    expect(direct(called(best, 'best'), { city: 'Oslo' })).toBe('best of Oslo')
  })

  it('runs no getter', () => {
    let read = 0
    class Careful {
      get expensive(): string {
        read++
        return 'x'
      }
      @tool.method({ description: 'd', inputSchema })
      plain({ city }: City): string {
        return city
      }
    }
    expect(toolsOf(new Careful()).map(({ name }) => name)).toEqual(['plain'])
    expect(read).toBe(0)
  })

  it('finds a method behind another decorator, and runs what that made of it', () => {
    const loud =
      () =>
      <This, Args extends unknown[]>(method: (this: This, ...args: Args) => string, _context: ClassMethodDecoratorContext) =>
        function (this: This, ...args: Args): string {
          return method.apply(this, args).toUpperCase()
        }
    class Loud {
      @loud()
      @tool.method({ description: 'd', inputSchema })
      outside({ city }: City): string {
        return city
      }
      @tool.method({ description: 'd', inputSchema })
      @loud()
      inside({ city }: City): string {
        return city
      }
    }
    const tools = toolsOf(new Loud())
    expect(tools.map((made) => [made.name, direct(made, { city: 'oslo' })])).toEqual([
      ['inside', 'OSLO'],
      ['outside', 'OSLO'],
    ])
  })

  it('works on an object around the instance', () => {
    const around = new Proxy(new Weather(), { get: (target, key) => Reflect.get(target, key, target) as unknown })
    expect(toolsOf(around).map(({ name }) => name)).toEqual(['current', 'weather_forecast'])
  })

  it('takes methods of plain JavaScript, without a decorator', () => {
    class Plain {
      readonly unit = '°C'
      current({ city }: City, _context?: unknown): string {
        return `${city}: 22 ${this.unit}`
      }
      static {
        this.prototype.current = tool.method({ description: 'd', inputSchema })(this.prototype.current)
      }
    }
    expect(direct(toolsOf(new Plain())[0]!, { city: 'Oslo' })).toBe('Oslo: 22 °C')
    expect(Object.keys(Plain.prototype)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    [
      'an object without tools',
      new Date(),
      'The Date has no tools: none of its methods is decorated with @tool.method({ description, inputSchema }).',
    ],
    ['a class', Weather, 'toolsOf() needs an instance, got the class or function Weather. Make one: toolsOf(new Weather()).'],
    ['null', null, 'toolsOf() needs an instance of a class with @tool.method, got null.'],
    ['a string', 'x', 'toolsOf() needs an instance of a class with @tool.method, got string.'],
  ])('refuses %s', (_what, instance, said) => expect(() => toolsOf(instance as object)).toThrow(new ToolDefinitionError(said)))

  it('refuses two tools of one name', () => {
    class Twice {
      @tool.method({ name: 'same', description: 'd', inputSchema })
      one(_input: City): void {}
      @tool.method({ name: 'same', description: 'd', inputSchema })
      two(_input: City): void {}
    }
    expect(() => toolsOf(new Twice())).toThrow(
      new ToolDefinitionError('Two methods of the Twice are tools named "same". Give one of them another `name`.', {
        code: 'duplicate_tool',
      }),
    )
  })
})

describe('the method itself', () => {
  it('is called directly as ever, and keeps its name and length', () => {
    const weather = new Weather()
    expect(weather.current({ city: 'Oslo' })).toBe('Oslo: 22 °C, asked 1')
    expect([weather.current.name, weather.current.length]).toEqual(['current', 1])
  })

  it('then has a context of no run', async () => {
    class Asking {
      @tool.method({ description: 'd', inputSchema })
      ask(_input: City, context?: ToolContext): unknown {
        return [context?.signal.aborted, context?.toolUse]
      }
      @tool.method({ description: 'd', inputSchema })
      interrupt(_input: City, context?: ToolContext): unknown {
        return context?.interrupt({ name: 'sure' })
      }
    }
    const asking = new Asking()
    expect(asking.ask({ city: 'a' })).toEqual([false, { id: 'direct', name: 'ask', input: { city: 'a' } }])
    expect(() => asking.interrupt({ city: 'a' })).toThrow(InputError)
  })
})

describe('tool.method refuses, when the class is defined,', () => {
  const definition = { description: 'd', inputSchema }
  const decorate = (over: object, given: object = definition) =>
    (tool.method(given as typeof definition) as unknown as (method: unknown, context: unknown) => unknown)(() => {}, {
      kind: 'method',
      name: 'current',
      static: false,
      private: false,
      addInitializer: () => {},
      ...over,
    })

  it.each<[string, () => unknown, string]>([
    [
      'a static method',
      () =>
        // oxlint-disable-next-line typescript/no-extraneous-class -- what is refused
        class {
          @tool.method(definition)
          static current(_input: City): void {}
        },
      '@tool.method cannot make the static method current a tool: tools are bound to an instance. Use tool({ … }) for it.',
    ],
    [
      'a private method',
      () => decorate({ private: true, name: '#current' }),
      '@tool.method cannot make the private method #current a tool: others are to call it. Take the # away.',
    ],
    ['a getter', () => decorate({ kind: 'getter' }), '@tool.method goes before a method, not before the getter current.'],
    ['a class', () => decorate({ kind: 'class' }), '@tool.method goes before a method, not before the class current.'],
    [
      'the older decorators',
      () => (tool.method(definition) as unknown as (...args: unknown[]) => unknown)({}, 'current', {}),
      '@tool.method is a standard decorator. Leave `experimentalDecorators` out of tsconfig.json.',
    ],
    [
      'no method at all',
      () => (tool.method(definition) as unknown as (...args: unknown[]) => unknown)(undefined),
      '@tool.method goes before a method, not before what is a undefined.',
    ],
    [
      'a symbol as a name',
      () => decorate({ name: Symbol('s') }),
      'The method Symbol(s) needs a name as a tool: @tool.method({ name, description, inputSchema }).',
    ],
    [
      'a name that models cannot write',
      () => decorate({ name: 'wetter für' }),
      'A tool\'s name has 1 to 64 letters, digits, "_" or "-"; got "wetter für".',
    ],
    ['no description', () => decorate({}, { inputSchema }), 'The tool "current" needs a description: the model chooses tools by it.'],
    [
      'no definition',
      () => tool.method(undefined as never),
      'tool.method() needs a definition { description, inputSchema }, got undefined.',
    ],
  ])('%s', (_what, define, said) => expect(define).toThrow(new ToolDefinitionError(said)))
})
