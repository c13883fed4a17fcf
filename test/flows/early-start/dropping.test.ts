import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import { check } from '../../../src/messages/check.ts'
import { IncompleteStreamError, MaxTokensError } from '../../../src/errors.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import type { ToolContext } from '../../../src/tools/tool.ts'
import { handModel, quiet } from '../../support/hand-model.ts'
import { sketch } from '../../support/sketch.ts'
import { look, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { autoClock } from '../../support/auto-clock.ts'

refuseUnhandled()

type Begun = { readonly at: number; readonly signal: AbortSignal }

/** `look` runs until it is told to end; with an input above 9 it ends at once. */
async function begin(options: Partial<AgentOptions> = {}, during: (context: ToolContext) => void = () => {}) {
  const begun: Begun[] = []
  const model = handModel()
  const agent = new Agent({
    model,
    ids: countingIds(),
    retry: false,
    tools: [
      look(async ({ at }, context) => {
        begun.push({ at, signal: context.signal })
        during(context)
        if (at > 9) return `seen ${at}`
        await new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(new Error('told to end'))))
      }),
      write(),
    ],
    ...options,
  })
  const stream = agent.stream('go')
  const collecting = collect(stream)
  const speech = await model.next()
  return { agent, model, begun, speech, stream, collecting }
}

const endsOf = (events: Awaited<ReturnType<typeof collect>>['events']) =>
  events.flatMap((event) => (event.type === 'tool_end' ? [[event.callId, event.discarded ? 'discarded' : event.result.status]] : []))

describe('what began early is dropped', () => {
  it('when the stream breaks and is tried again: the call is told to end, and the retry runs its own once', async () => {
    const { agent, model, begun, speech, collecting } = await begin({ retry: { baseMs: 0 }, clock: autoClock() })
    await speech.call(0, 'look', { at: 1 })
    await speech.call(1, 'look', { at: 11 })
    await speech.break(new IncompleteStreamError('cut'))
    // The other one had ended.
    expect(begun.map(({ at, signal }) => [at, signal.aborted])).toEqual([
      [1, true],
      [11, false],
    ])
    const again = await model.next()
    await again.call(0, 'look', { at: 12 })
    await again.stop('tool_use')
    await (await model.next()).stop('end_turn')
    const { events, result } = await collecting
    expect(checkEvents(events)).toEqual([])
    expect(begun.map(({ at }) => at)).toEqual([1, 11, 12])
    expect(endsOf(events)).toEqual([
      ['call_1', 'discarded'],
      ['call_2', 'discarded'],
      ['call_3', 'success'],
    ])
    expect(sketch(agent.messages).slice(1, 3)).toEqual(['assistant: look#call_3 {"at":12}', 'user: call_3 success "seen 12"'])
    // Only what counts is counted.
    expect(result?.metrics.tools).toMatchObject({ look: { calls: 1, errors: 0 } })
  })

  it('when the message is cut by the token limit', async () => {
    const { agent, model, begun, speech, collecting } = await begin()
    await speech.call(0, 'look', { at: 1 })
    await speech.stop('max_tokens')
    const { events, error } = await collecting
    expect(error).toBeInstanceOf(MaxTokensError)
    expect(begun[0]!.signal.aborted).toBe(true)
    expect(endsOf(events)).toEqual([['call_1', 'discarded']])
    expect(sketch(agent.messages)[1]).toMatch(/^assistant: "\[A call of the tool look began here/)
    expect([checkEvents(events), check(agent.messages), model.requests.length]).toEqual([[], [], 1])
  })

  it('when the model refuses in the end', async () => {
    const { begun, speech, collecting } = await begin()
    await speech.call(0, 'look', { at: 1 })
    await speech.stop('refusal')
    const { events, result } = await collecting
    expect([result?.stopReason, begun[0]!.signal.aborted]).toEqual(['refusal', true])
    expect([endsOf(events), checkEvents(events)]).toEqual([[['call_1', 'discarded']], []])
  })

  it('when the run is cancelled in the middle of the message', async () => {
    const { agent, model, begun, speech, collecting } = await begin()
    await speech.call(0, 'look', { at: 1 })
    agent.cancel('enough')
    const { events, result } = await collecting
    expect([result?.stopReason, begun[0]!.signal.aborted]).toEqual(['cancelled', true])
    expect(endsOf(events)).toEqual([['call_1', 'discarded']])
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "[The run was cancelled before the answer was complete: enough]"'])
    expect([checkEvents(events), check(agent.messages), model.requests.length]).toEqual([[], [], 1])
  })

  it('when the error of the stream ends the run', async () => {
    const { begun, speech, collecting } = await begin()
    await speech.call(0, 'look', { at: 1 })
    await speech.break(new Error('gone'))
    const { events, error } = await collecting
    expect([error?.code, begun[0]!.signal.aborted, endsOf(events)]).toEqual(['model_error', true, [['call_1', 'discarded']]])
  })

  it('when later pieces spoil its input: the call gets its error, and was not run on what it seemed to be', async () => {
    const { agent, model, begun, speech, collecting } = await begin()
    await speech.call(0, 'look', { at: 11 })
    await speech.say({ type: 'block_delta', index: 0, delta: { type: 'tool_input', text: ',{"at":2}' } })
    await speech.stop('tool_use')
    await (await model.next()).stop('end_turn')
    const { events } = await collecting
    expect(checkEvents(events)).toEqual([])
    expect(endsOf(events)).toEqual([
      ['call_1', 'discarded'],
      ['call_1', 'error'],
    ])
    expect(begun.map(({ at }) => at)).toEqual([11])
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/invalid_input/)
  })

  it('and its wish to end the run with it', async () => {
    const { model, speech, collecting } = await begin({ retry: { baseMs: 0 }, clock: autoClock() }, ({ endTurn }) =>
      endTurn('from a dropped call'),
    )
    await speech.call(0, 'look', { at: 11 })
    await speech.break(new IncompleteStreamError('cut'))
    const again = await model.next()
    await again.say({ type: 'block_delta', index: 0, delta: { type: 'text', text: 'the answer' } })
    await again.stop('end_turn')
    expect((await collecting).result?.text).toBe('the answer')
  })

  it('afterToolCall hooks are told so', async () => {
    const seen: boolean[] = []
    const { agent, speech, collecting } = await begin()
    agent.on('afterToolCall', ({ discarded }) => void seen.push(discarded))
    await speech.call(0, 'look', { at: 1 })
    await speech.stop('refusal')
    await collecting
    expect(seen).toEqual([true])
  })

  it('though it does not listen: nobody waits for it, and its late outcome is nobody’s', async () => {
    const model = handModel()
    let late!: (value: string) => void
    const agent = new Agent({
      model,
      ids: countingIds(),
      retry: false,
      tools: [look(() => new Promise((resolve) => (late = resolve as never)))],
    })
    const collecting = collect(agent.stream('go'))
    const speech = await model.next()
    await speech.call(0, 'look', { at: 1 })
    await speech.stop('refusal')
    const { events } = await collecting
    expect(endsOf(events)).toEqual([['call_1', 'discarded']])
    late('too late')
    await quiet()
    expect(events.filter(({ type }) => type === 'warning')).toEqual([])
  })
})

describe('what began early is kept', () => {
  it('with its wish to end the run', async () => {
    const { model, speech, collecting } = await begin({}, ({ endTurn }) => endTurn('that will do'))
    await speech.call(0, 'look', { at: 11 })
    await speech.stop('tool_use')
    const { result } = await collecting
    expect([result?.text, model.requests.length]).toEqual(['that will do', 1])
  })

  it('when the run is cancelled after its message was stored: the work is done', async () => {
    const { agent, speech, collecting } = await begin()
    agent.on('messageAdded', ({ message }) => (message.role === 'assistant' ? agent.cancel('enough') : undefined))
    await speech.call(0, 'look', { at: 11 })
    await speech.call(1, 'look', { at: 1 })
    await speech.call(2, 'write', { at: 2 })
    await speech.stop('tool_use')
    await collecting
    expect(sketch(agent.messages)[2]).toMatch(
      /^user: call_1 success "seen 11" call_2 error\/cancelled .*may or may not.* call_3 error\/cancelled "The call was not run/,
    )
  })

  it('when a hook throws after its message was stored', async () => {
    const { agent, speech, collecting } = await begin()
    agent.on('messageAdded', ({ message }) => {
      if (message.role === 'assistant') throw new Error('mine')
    })
    await speech.call(0, 'look', { at: 11 })
    await speech.stop('tool_use')
    expect((await collecting).error?.code).toBe('hook_failed')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen 11"')
  })
})
