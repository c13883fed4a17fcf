import type { Agent } from '../../src/agent/agent.ts'
import type { Tool } from '../../src/tools/tool.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import type { ScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { nextPrompt } from './invariant.ts'
import type { Made } from './make-agent.ts'
import { makeAgent } from './make-agent.ts'
import { look, toolNamed, write } from './tools.ts'

export type FullRun = Pick<Made, 'agent' | 'model'> & {
  /** Tools that have ended well, by their input. */
  readonly ran: number[]
  /** Those of the inputs that only read, and may begin while the model still speaks. */
  readonly reads: ReadonlySet<number>
}

/**
 * An agent whose run tells nearly every kind of event: text, thinking, calls side by side and alone, progress, a repeated model
 * call, a warning, a hook that has the run go on. Wherever it is cut, the model answers `the next prompt`.
 */
export function fullRun(): FullRun {
  const ran: number[] = []
  const did = (said: string, at: number): string => {
    ran.push(at)
    return `${said} ${at}`
  }
  const tools: Tool[] = [
    look(({ at }) => did('seen', at)),
    write(({ at }) => did('written', at)),
    toolNamed('walk', async function* ({ at }) {
      yield { step: 1 }
      yield { step: 2 }
      return did('walked', at)
    }),
  ]
  const model = answeringNext(
    scriptedModel(
      {
        reasoning: 'First a look.',
        text: 'Let me see. ',
        calls: [
          { name: 'look', input: { at: 1 } },
          { name: 'look', input: { at: 2 } },
        ],
      },
      { text: 'half of ', error: new Error('busy'), after: 4 },
      {
        calls: [
          { name: 'walk', input: { at: 3 } },
          { name: 'nothing', input: {} },
        ],
      },
      { text: 'Now I am done.' },
      { calls: [{ name: 'write', input: { at: 4 } }] },
      { text: 'Really done.' },
    ),
  )
  const { agent } = makeAgent([], {
    model,
    tools,
    plugins: [{ name: 'forgetful', setup: () => {}, flush: () => Promise.reject(new Error('disk full')) }],
  })
  agent.on('afterModelCall', (event) => {
    if (event.error && event.attempt === 1) event.retry = { delayMs: 0, reason: 'busy' }
  })
  let resumed = false
  agent.on('afterInvocation', (event) => {
    if (!resumed && event.result?.stopReason === 'end_turn') event.resume = 'And now write it.'
    resumed = true
  })
  return { agent, model, ran, reads: new Set([1, 2]) }
}

/** The script, and apart from it an answer to the prompt by which `holdsInvariant` tries the agent. */
function answeringNext(script: ScriptedModel): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    ...script,
    requests,
    stream(request, options) {
      requests.push(request)
      const asked = request.messages.at(-1)?.content.at(-1)
      if (asked?.type === 'text' && asked.text === nextPrompt) return scriptedModel({ text: 'The next answer.' }).stream(request, options)
      return script.stream(request, options)
    },
  }
}

/** The results that the history holds, by input of their call. */
export function resultsOf({
  messages,
}: Agent): ReadonlyMap<unknown, { readonly status: string; readonly code: string | undefined; readonly text: string }> {
  const inputs = new Map<string, unknown>()
  const results = new Map<unknown, { status: string; code: string | undefined; text: string }>()
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_use') inputs.set(block.id, block.input['at'])
      if (block.type === 'tool_result')
        results.set(inputs.get(block.toolUseId), {
          status: block.status,
          code: block.code,
          text: block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join(' '),
        })
    }
  }
  return results
}
