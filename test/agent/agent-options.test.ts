import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { AgentError } from '../../src/errors.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { look } from '../support/tools.ts'

const model = scriptedModel({ text: 'Fine.' })

/** Code and beginning of the message with which the options are refused. */
function refusalOf(options: unknown, length: number): readonly string[] {
  try {
    return [`made ${new Agent(options as never).name}`]
  } catch (error) {
    return AgentError.isInstance(error) ? [error.code, error.message.slice(0, length)] : [String(error)]
  }
}

describe('options of an agent are checked when it is made', () => {
  it.each([
    [undefined, "new Agent() needs options such as { model: 'offline' }, got undefined."],
    [null, "new Agent() needs options such as { model: 'offline' }, got null."],
    ['offline', `new Agent() needs options such as { model: 'offline' }, got "offline".`],
    [{}, "`model` must be a name such as 'openai/gpt-5.4' or 'offline', or a model object with stream(request, options); got undefined."],
    [
      { model: ' ' },
      "`model` must be a name such as 'openai/gpt-5.4' or 'offline', or a model object with stream(request, options); got \" \".",
    ],
    [
      { model: {} },
      "`model` must be a name such as 'openai/gpt-5.4' or 'offline', or a model object with stream(request, options); got an object.",
    ],
  ])('%j', (options, message) => {
    expect(refusalOf(options, message.length)).toEqual(['invalid_input', message])
  })

  it.each([
    [{ name: 'my agent' }, '`name` has 1 to 64 letters, digits, "_" or "-", got "my agent".'],
    [{ name: '' }, '`name` has 1 to 64 letters, digits, "_" or "-", got "".'],
    [{ description: 7 }, '`description` must be a string, got 7.'],
    [{ instructions: 7 }, '`instructions` must be a string, or text and cache_point blocks; got 7.'],
    [{ instructions: [{ type: 'image' }] }, '`instructions` must be a string, or text and cache_point blocks; got an array.'],
    [{ state: [] }, '`state` must be an object, got an array.'],
    [{ state: null }, '`state` must be an object, got null.'],
    [{ settings: 'hot' }, '`settings` must be an object such as { maxTokens: 4096 }, got "hot".'],
    [
      { settings: { maxToken: 1 } },
      'There is no setting "maxToken". Did you mean "maxTokens"? Known: maxTokens, temperature, topP, stopSequences, thinking, extra.',
    ],
    [
      { strategy: 'scheduled' },
      '`strategy` must be a schedule strategy: scheduled, concurrent, sequential, or an object { name, early, next(view) }.',
    ],
    [{ maxConcurrency: 0 }, '`maxConcurrency` must be a positive integer, got 0.'],
    [{ maxConcurrency: 1.5 }, '`maxConcurrency` must be a positive integer, got 1.5.'],
    [{ cancelGraceMs: -1 }, '`cancelGraceMs` must be a number of milliseconds, got -1.'],
    [{ cancelGraceMs: NaN }, '`cancelGraceMs` must be a number of milliseconds, got NaN.'],
    [{ tools: look() }, '`tools` must be an array of tools, got a function.'],
    [{ messages: 'hi' }, '`messages` must be an array of messages, got "hi".'],
    [
      { messages: [{ role: 'system', content: 'x' }] },
      'messages[0].role: expected "user" or "assistant" (the system prompt is the option `instructions`), got "system".',
    ],
    [{ plugins: {} }, '`plugins` must be an array, got an object.'],
    [{ plugins: [{ name: 'x' }] }, 'A plug-in is an object { name, setup(agent) }, got an object.'],
    [{ clock: Date }, '`clock` must be a clock { now(), sleep(ms, signal) }, got a function.'],
    [{ ids: {} }, '`ids` must be an object { next(kind) }, got an object.'],
    [
      { steps: { run: () => {} } },
      "`steps` must be a step runner { concurrency: 'none', 'start_order' or 'any_order', run(step, fn, options) }, got an object.",
    ],
    [
      { steps: null },
      "`steps` must be a step runner { concurrency: 'none', 'start_order' or 'any_order', run(step, fn, options) }, got null.",
    ],
    [{ limits: { turn: 1 } }, 'There is no limit "turn". Did you mean "turns"? Limits are: turns, totalTokens, outputTokens.'],
    [{ tool: [] }, 'There is no option of an agent "tool". Did you mean "tools"?'],
    [{ systemPrompt: 'x' }, 'There is no option of an agent "systemPrompt".'],
  ])('%j', (options, message) => {
    expect(refusalOf({ model, ...options }, message.length)).toEqual(['invalid_input', message])
  })

  it.each<[object, string]>([
    [{ model: [] }, '`model` is an empty list. Give at least one model.'],
    [
      { model: ['offline', 7] },
      "`model` must be a name such as 'openai/gpt-5.4' or 'offline', or a model object with stream(request, options); got 7.",
    ],
    [{ context: {} }, '`context` must be a context manager { name, before?(view), reduce(view) }, got an object.'],
    [{ retry: true }, '`retry` must be false or an object such as { maxAttempts: 3 }, got true.'],
    [{ retry: { maxAttempts: 0 } }, 'retry.maxAttempts must be a positive integer, got 0.'],
    [{ retry: { baseMs: -1 } }, 'retry.baseMs must be a number of milliseconds, got -1.'],
  ])('%j is refused', (options, message) => {
    expect(refusalOf({ model, ...options }, message.length)).toEqual(['invalid_input', message])
  })

  it('undefined is not given', async () => {
    const agent = new Agent({
      model: scriptedModel({ text: 'Fine.' }),
      name: undefined,
      tools: undefined,
      limits: undefined,
      retry: undefined,
      session: undefined,
    } as never)
    expect(agent.name).toBe('agent')
    expect((await agent.invoke('go')).text).toBe('Fine.')
  })

  it('an unknown option that is undefined is not given either', () => {
    expect(() => new Agent({ model, nonsense: undefined } as never)).not.toThrow()
  })

  it('retry: false says that none is wanted', () => {
    expect(() => new Agent({ model, retry: false })).not.toThrow()
  })
})

describe('what an agent is given', () => {
  it('is told to the model: instructions, settings, tools', async () => {
    const scripted = scriptedModel({ text: 'Fine.' })
    const agent = new Agent({
      model: scripted,
      instructions: [{ type: 'text', text: 'Be brief.' }, { type: 'cache_point' }],
      settings: { maxTokens: 10, extra: { seed: 1 } },
      tools: [[look()]],
    })
    await agent.invoke('go', { toolChoice: 'none' })
    expect(scripted.requests[0]).toEqual({
      system: [{ type: 'text', text: 'Be brief.' }, { type: 'cache_point' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
      tools: [
        {
          name: 'look',
          description: 'The tool look.',
          inputSchema: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
        },
      ],
      toolChoice: 'none',
      settings: { maxTokens: 10, extra: { seed: 1 } },
    })
  })

  it('a string of instructions is one block, an empty one is none', async () => {
    for (const [instructions, system] of [
      ['Be brief.', [{ type: 'text', text: 'Be brief.' }]],
      ['', []],
    ] as const) {
      const scripted = scriptedModel({ text: 'Fine.' })
      await new Agent({ model: scripted, instructions }).invoke('go')
      expect(scripted.requests[0]!.system).toEqual(system)
    }
  })

  it('as state is that very object', () => {
    const state = { visits: 1 }
    const agent = new Agent({ model, state })
    agent.state.visits++
    expect(state).toEqual({ visits: 2 })
  })
})
