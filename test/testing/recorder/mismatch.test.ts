// Replays in which one thing is not as it was: each says where they part, what was expected and what came.
import type { Tool } from 'lena-agent'
import { answer } from 'lena-agent'
import type { Cassette, CassetteEntry, Recorder } from 'lena-agent/testing'
import { CassetteError, collect, fakeClock, recorder, scriptedModel } from 'lena-agent/testing'
import { describe, expect, it } from 'vitest'
import { quiet } from '../../support/hand-model.ts'
import { look, toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { agentOn, reread } from './support/twice.ts'

refuseUnhandled()

type Change = { readonly prompt?: string; readonly instructions?: string; readonly tools?: readonly Tool[] }

/** The recorded program: two looks, and an answer. */
async function program(tape: Recorder, { prompt = 'go', instructions = 'Be kind.', tools = [look()] }: Change = {}): Promise<unknown> {
  const model = scriptedModel(
    {
      calls: [
        { name: 'look', input: { at: 1 } },
        { name: 'look', input: { at: 2 } },
      ],
    },
    { text: 'Both seen.' },
  )
  const agent = agentOn(tape, { model, tools }, { instructions })
  const { error } = await collect(agent.stream(prompt))
  return error
}

async function recorded(): Promise<Cassette> {
  const tape = recorder()
  await program(tape)
  return reread(tape.cassette)
}

const cassette = await recorded()

const changed = (edit: (entry: CassetteEntry) => CassetteEntry | undefined): Cassette => ({
  ...cassette,
  entries: cassette.entries.flatMap((entry) => edit(entry) ?? []),
})

/** What the run ends with, and what the recorder says at the end. */
async function replay(
  given: Cassette,
  change: Change = {},
  live: boolean | readonly string[] = false,
): Promise<readonly [error: unknown, closed: unknown]> {
  const tape = recorder({ cassette: given, live, timeoutMs: Infinity })
  const error = await (live === false ? program(tape, change) : liveProgram(tape, change))
  return [error, await tape.close().catch((thrown: unknown) => thrown)]
}

/** The same, with the tools there. */
async function liveProgram(tape: Recorder, { tools = [look()] }: Change): Promise<unknown> {
  const { Agent } = await import('lena-agent')
  const agent = new Agent({
    model: tape.model(() => scriptedModel()),
    tools: tools.map((tool) => tape.tool(tool)),
    clock: tape.clock,
    ids: tape.ids,
    instructions: 'Be kind.',
  })
  return (await collect(agent.stream('go'))).error
}

describe('a replay with one thing changed', () => {
  it('is the recording when nothing is', async () => {
    expect(await replay(cassette)).toEqual([undefined, undefined])
    expect(await replay(cassette, {}, true)).toEqual([undefined, undefined])
    expect(await replay(cassette, {}, ['look'])).toEqual([undefined, undefined])
  })

  it.each<[what: string, given: Cassette, change: Change, error: Partial<CassetteError>]>([
    [
      'another prompt',
      cassette,
      { prompt: 'stop' },
      { step: 'model call 1 (scripted)', path: 'messages[0].content[0].text', expected: 'go', got: 'stop' },
    ],
    [
      'other instructions',
      cassette,
      { instructions: 'Be quick.' },
      { step: 'model call 1 (scripted)', path: 'system[0].text', expected: 'Be kind.', got: 'Be quick.' },
    ],
    [
      'another description of a tool',
      cassette,
      { tools: [{ ...look(), name: 'look', description: 'Looks.' }] },
      { step: 'model call 1 (scripted)', path: 'tools[0].description', expected: 'The tool look.', got: 'Looks.' },
    ],
    [
      'another result of a tool in the cassette',
      changed((entry) => (entry.type === 'tool_end' && entry.run === 2 ? { ...entry, value: 'nothing' } : entry)),
      {},
      { step: 'model call 2 (scripted)', path: 'messages[2].content[1].content[0].text', expected: 'seen 2', got: 'nothing' },
    ],
    [
      'another input of a call in the cassette',
      changed((entry) =>
        entry.type === 'model_event' &&
        entry.event.type === 'block_delta' &&
        entry.event.delta.type === 'tool_input' &&
        entry.event.delta.text.includes(':1')
          ? { ...entry, event: { ...entry.event, delta: { type: 'tool_input', text: entry.event.delta.text.replace(':1', ':7') } } }
          : entry,
      ),
      {},
      { step: expect.stringMatching(/^tool run 1 \(look, call_/) as never, path: 'input.at', expected: 1, got: 7 },
    ],
  ])('%s', async (_what, given, change, parts) => {
    const [error, closed] = await replay(given, change)
    expect(error).toBeInstanceOf(CassetteError)
    expect(error).toMatchObject({ code: 'cassette_mismatch', ...parts })
    expect(closed).toBe(error)
  })

  it.each<[what: string, tool: Tool, error: Partial<CassetteError>]>([
    ['gives something else', look(({ at }) => `found ${at}`), { path: 'value', expected: 'seen 1', got: 'found 1' }],
    [
      'throws',
      look(() => {
        throw new RangeError('too far')
      }),
      { path: 'value', expected: 'seen 1', got: null },
    ],
    [
      'tells of its progress',
      look(async (_, { progress }) => void (await progress('half'))),
      { path: 'type', expected: 'tool_end', got: 'tool_progress' },
    ],
    ['ends the turn', look((_, { endTurn }) => endTurn('done')), { path: 'type', expected: 'tool_end', got: 'tool_end_turn' }],
  ])('a tool that is really run and %s', async (_what, tool, parts) => {
    const [error, closed] = await replay(cassette, { tools: [tool] }, ['look'])
    expect(error).toMatchObject({ code: 'cassette_mismatch', step: 'the end of tool run 1', ...parts })
    expect(closed).toBe(error)
  })

  it('says it in a sentence, long texts from where they part', async () => {
    const long = changed((entry) => (entry.type === 'tool_end' && entry.run === 1 ? { ...entry, value: `${'x'.repeat(500)}end` } : entry))
    const [, closed] = await replay(long)
    expect((closed as Error).message).toBe(
      `The replay parts from the recording at model call 2 (scripted): messages[2].content[0].content[0].text: expected "seen 1", got "${'x'.repeat(199)}….`,
    )
    const [, near] = await replay(cassette, { instructions: 'Be kind.' + 'y'.repeat(100) })
    expect((near as Error).message).toContain('expected "Be kind.", got "Be kind.yyy')
  })
})

describe('a replay is strict', () => {
  it('a call of the model too many', async () => {
    const short = changed((entry) =>
      entry.type === 'model_start' && entry.call === 2 ? undefined : 'call' in entry && entry.call === 2 ? undefined : entry,
    )
    const [error] = await replay(short)
    expect(error).toMatchObject({
      code: 'cassette_mismatch',
      message: expect.stringMatching(
        /^The replay parts from the recording: it has come to model call 2 \(scripted\), which the recording does not have\./,
      ) as unknown,
    })
  })

  it('what was not used', async () => {
    const tape = recorder({ cassette })
    agentOn(tape, { model: scriptedModel(), tools: [look()] })
    await expect(tape.close()).rejects.toMatchObject({
      code: 'cassette_unused',
      message: expect.stringMatching(
        /^The replay ended before the recording: \d+ of \d+ entries were not used\. The first: a new message id \(/,
      ) as unknown,
    })
  })

  it('a cancel that did not come: it says what it waits for', async () => {
    const model = scriptedModel({ text: 'one two', hang: true, after: 3 })
    const run = async (tape: Recorder, cancels: boolean) => {
      const controller = new AbortController()
      const agent = agentOn(tape, { model })
      return await collect(
        agent.stream('go', {
          signal: controller.signal,
          onEvent: ({ type }) => void (cancels && type === 'text_delta' && controller.abort()),
        }),
      )
    }
    const tape = recorder()
    await run(tape, true)
    const clock = fakeClock()
    const replaying = recorder({ cassette: reread(tape.cassette), clock, timeoutMs: 500 })
    const running = run(replaying, false)
    await quiet()
    await quiet()
    await clock.advance(500)
    expect((await running).error).toMatchObject({
      code: 'cassette_mismatch',
      message:
        'The replay stands still: the recording goes on with model call 1 being left (the run was cancelled, or had read enough), which did not come within 500 ms. Waiting: model call 1.',
    })
    expect(clock.sleeping).toBe(0)
  })

  it('a recording that was cut: whoever waits for more of it is told, wherever it ends', async () => {
    const codes = new Set<unknown>()
    for (let length = 1; length < cassette.entries.length; length++) {
      const clock = fakeClock()
      const tape = recorder({ cassette: { ...cassette, entries: cassette.entries.slice(0, length) }, clock, timeoutMs: 500 })
      let ended: unknown
      const running = program(tape).then((error) => (ended = error ?? 'no error'))
      for (let turn = 0; turn < 10 && ended === undefined; turn++) {
        await quiet()
        await clock.advance(500)
      }
      expect([length, ended !== undefined]).toEqual([length, true])
      await running
      // Where no more is missing than readings of the clock behind the answer, the run has its answer.
      codes.add((ended as { readonly code?: string }).code)
      await expect(tape.close()).rejects.toMatchObject({ code: 'cassette_mismatch' })
      expect(clock.sleeping).toBe(0)
    }
    expect(codes).toEqual(new Set(['cassette_mismatch', undefined]))
  })

  it('a cancel that was not there', async () => {
    const tape = recorder({ cassette })
    const agent = agentOn(tape, { model: scriptedModel(), tools: [look()] }, { instructions: 'Be kind.' })
    await collect(agent.stream('go', { onEvent: ({ type }) => void (type === 'tool_input_delta' && agent.cancel()) }))
    await expect(tape.close()).rejects.toMatchObject({
      code: 'cassette_mismatch',
      step: expect.stringContaining('model call 1 being left') as unknown,
    })
  })

  it('another answer to a question', async () => {
    const ask = toolNamed('ask', (_, { interrupt }) => `they said ${String(interrupt({ name: 'sure' }))}`)
    const run = async (tape: Recorder, said: boolean) => {
      const agent = agentOn(tape, { model: scriptedModel({ calls: [{ name: 'ask', input: { at: 1 } }] }, { text: 'Well.' }), tools: [ask] })
      const { interrupts } = await agent.invoke('go')
      return (await collect(agent.stream([answer(interrupts[0]!.id, said)]))).error
    }
    const tape = recorder()
    expect(await run(tape, true)).toBe(undefined)
    expect(await run(recorder({ cassette: reread(tape.cassette) }), false)).toMatchObject({
      step: 'the question "sure" of tool run 2',
      path: 'answer',
      expected: true,
      got: false,
    })
  })

  it('another model', async () => {
    const tape = recorder({ cassette })
    tape.model({ ...scriptedModel(), id: 'another' })
    await expect(tape.close()).rejects.toMatchObject({
      step: 'the model scripted/scripted',
      path: 'id',
      expected: 'scripted',
      got: 'another',
    })
  })
})
