import { fc } from '../support/fast-check.ts'
import { expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import { ThrottledError } from '../../src/errors.ts'
import type { AgentError } from '../../src/errors.ts'
import type { ModelEvent } from '../../src/models/model-events.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import type { ModelStopReason } from '../../src/messages/stop-reason.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { concurrent, scheduled, sequential } from '../../src/tools/strategies.ts'
import { tick } from '../../src/util/clock.ts'
import { autoClock } from '../support/auto-clock.ts'
import { anyHistory } from '../support/history.ts'
import { breachesOf, holdsInvariant, nextPrompt } from '../support/invariant.ts'
import { settlesWithin } from '../support/settles.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { turnHooks } from '../support/points.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const stopReasons: readonly ModelStopReason[] = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'content_filtered',
  'guardrail_intervened',
  'refusal',
  'pause_turn',
  'context_window_exceeded',
]

/** Whatever a model may come up with, and what may be cut off or left out of it. */
const anyAnswer = fc.record({
  reasoning: fc.option(fc.constantFrom('', 'Hm.'), { nil: undefined }),
  text: fc.option(fc.constantFrom('', ' ', 'one two'), { nil: undefined }),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('look', 'write', 'walk', 'breaks', 'hangs', 'stops', 'nothing', 'bad name!', ''),
      input: fc.constantFrom({ at: 1 }, { at: 2 }, {}, '', 'null', '{"at"', '[1]'),
      id: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
    }),
    { maxLength: 4 },
  ),
  stopReason: fc.option(fc.constantFrom(...stopReasons), { nil: undefined }),
  drop: fc.option(fc.constantFrom<ModelEvent['type']>('message_start', 'block_start', 'block_stop', 'message_stop', 'metadata'), {
    nil: undefined,
  }),
  redaction: fc.option(fc.constantFrom('input' as const, 'output' as const), { nil: undefined, freq: 8 }),
  end: fc.constantFrom('well', 'well', 'well', 'error', 'throttled', 'hang', 'deaf'),
  after: fc.nat(12),
})

const anyRun = fc.record({
  answers: fc.array(anyAnswer, { maxLength: 4 }),
  history: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: anyHistory }),
  input: fc.constantFrom('go', undefined, [
    { role: 'user' as const, content: 'a' },
    { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 'a', name: 'look', input: { at: 1 } }] },
  ]),
  hook: fc.option(
    fc.record({
      name: fc.constantFrom(...turnHooks),
      does: fc.constantFrom('throws', 'hangs', 'cancels', 'retries', 'resumes', 'ends', 'aborts'),
    }),
    { nil: undefined },
  ),
  middleware: fc.constantFrom('none', 'model', 'tool', 'both'),
  strategy: fc.constantFrom(scheduled, concurrent, sequential),
  door: fc.constantFrom('invoke', 'listener', 'reader', 'leaves'),
  turns: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  cancelAfter: fc.option(fc.nat(8), { nil: undefined }),
  keepPartialText: fc.boolean(),
  retry: fc.boolean(),
  second: fc.boolean(),
})
type Run = typeof anyRun extends fc.Arbitrary<infer T> ? T : never

function modelOf(answers: Run['answers'], requests: ModelRequest[], illegal: string[]): Model {
  return {
    provider: 'any',
    id: 'any',
    async *stream(request, { signal }) {
      const answer = answers[requests.length]
      requests.push(request)
      illegal.push(...breachesOf(request))
      const last = request.messages.at(-1)?.content.at(-1)
      if (!answer || (last?.type === 'text' && last.text === nextPrompt)) return yield* eventsOf({ text: 'An answer.' })
      let count = 0
      if (answer.redaction) yield { type: 'redaction', target: answer.redaction, replacement: '[gone]' }
      for (const event of eventsOf(answer)) {
        if (answer.end !== 'well' && count++ >= answer.after) break
        if (event.type !== answer.drop) yield event
      }
      if (answer.end === 'error') throw new Error('provider')
      if (answer.end === 'throttled') throw new ThrottledError('busy')
      if (answer.end === 'hang')
        await new Promise((_resolve, reject) =>
          signal.aborted ? reject(signal.reason) : signal.addEventListener('abort', () => reject(signal.reason)),
        )
      if (answer.end === 'deaf') await new Promise(() => {})
    },
  }
}

function agentOf(run: Run, requests: ModelRequest[], illegal: string[]): Agent {
  const agent: Agent = new Agent({
    model: run.second
      ? [modelOf(run.answers, requests, illegal), modelOf(run.answers, requests, illegal)]
      : modelOf(run.answers, requests, illegal),
    ids: countingIds(),
    clock: autoClock(),
    ...(!run.retry && { retry: false }),
    strategy: run.strategy,
    messages: run.history,
    tools: [
      look(),
      write(async ({ at }, { progress }) => {
        await progress(at)
        return `written ${at}`
      }),
      toolNamed('walk', async function* () {
        yield 1
        yield 2
      }),
      toolNamed('breaks', () => Promise.reject(new Error('no'))),
      toolNamed('hangs', () => new Promise(() => {}), { timeoutMs: 50 }),
      toolNamed('stops', (_input, { endTurn }) => endTurn()),
    ],
  })
  const { hook, middleware } = run
  if (hook) {
    agent.on(hook.name, async (event) => {
      if (!run.hook) return
      const fields = event as Record<string, unknown>
      await Promise.resolve()
      if (hook.does === 'throws') throw new Error('hook')
      if (hook.does === 'hangs') await new Promise(() => {})
      if (hook.does === 'aborts') agent.cancel('by a hook')
      if (hook.does === 'cancels' && 'cancel' in event) fields['cancel'] = 'No.'
      if (hook.does === 'retries' && 'retry' in event)
        fields['retry'] = hook.name === 'afterToolCall' ? true : { delayMs: 5, reason: 'hook' }
      if (hook.does === 'resumes' && 'resume' in event) fields['resume'] = 'more'
      if (hook.does === 'ends' && 'endTurn' in event) fields['endTurn'] = true
    })
  }
  if (middleware === 'model' || middleware === 'both')
    agent.use('model', async function* (request, next) {
      yield* next(request)
    })
  if (middleware === 'tool' || middleware === 'both')
    agent.use('tool', async function* (call, next) {
      return yield* next(call)
    })
  return agent
}

/** Runs it to its end: whatever hangs is cancelled from outside sooner or later. */
async function runIt(run: Run): Promise<void> {
  const requests: ModelRequest[] = []
  const illegal: string[] = []
  const agent = agentOf(run, requests, illegal)
  const events: AgentEvent[] = []
  const options = {
    keepPartialText: run.keepPartialText,
    ...(run.turns !== undefined && { limits: { turns: run.turns } }),
    ...(run.door !== 'invoke' && { onEvent: (event: AgentEvent) => void events.push(event) }),
  }
  const stream = run.door === 'reader' || run.door === 'leaves' ? agent.stream(run.input, options) : undefined
  const ending = stream ? readTo(stream, run.door === 'leaves' ? 5 : Infinity) : agent.invoke(run.input, options)
  void ending.then(
    () => {},
    () => {},
  )
  for (let turn = 0; turn <= (run.cancelAfter ?? 60) && (turn === 0 || agent.isRunning); turn++) await tick()
  agent.cancel('from outside')
  const settled = await settlesWithin(ending, 400, 'the run')
  const code = settled.status === 'rejected' ? (settled.reason as AgentError).code : undefined
  // Every failure is one that is known.
  if (code !== undefined)
    expect([
      'invalid_input',
      'incomplete_stream',
      'model_error',
      'throttled',
      'max_tokens',
      'hook_failed',
      'resume_limit',
      'pause_limit',
    ]).toContain(code)
  expect(illegal).toEqual([])
  // What was asked before the history was touched has told nothing more.
  run.hook = undefined
  await holdsInvariant(agent, { requests, ...(events.length > 0 && { events }), ...(stream && { stream }) })
}

async function readTo(stream: ReturnType<Agent['stream']>, count: number): Promise<unknown> {
  let seen = 0
  for await (const _event of stream) if (++seen >= count) break
  return stream.result
}

it('any run leaves a legal history and an agent that answers', { timeout: 60_000 }, async () => {
  await fc.assert(fc.asyncProperty(anyRun, runIt), { numRuns: 200, seed: 7 })
})
