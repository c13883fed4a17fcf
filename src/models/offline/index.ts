import { InputError, InvalidRequestError } from '../../errors.ts'
import { textOf } from '../../messages/content.ts'
import { reasonOf } from '../../util/abort.ts'
import type { Clock } from '../../util/clock.ts'
import { systemClock } from '../../util/clock.ts'
import type { Model, ModelRequest } from '../model.ts'
import { answerOf } from './answer.ts'
import { carryOut } from './carry-out.ts'
import { conversationOf } from './conversation.ts'
import { listed } from './language/english.ts'
import { notesOf } from './notes.ts'
import { planOf } from './plan.ts'
import { replay } from './replay.ts'
import { speak, tokensOf } from './speak.ts'
import type { Call } from './work.ts'

export type OfflineOptions = {
  /** Pause before each piece of a message, in milliseconds, for people who watch. Default: 0. */
  readonly delayMs?: number | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

/**
 * The built-in model that needs no key, no network and no download: a small set of rules that understands plain English
 * requests about files and commands, calls the tools that are offered (`read_file`, `list_dir`, `write_file`, `edit_file`, `shell`,
 * `glob`, `grep`, `todo`, `web_search`, `web_fetch`) and answers from their results. It is no language model, and says so.
 *
 * It keeps nothing between two requests: the newest prompt gives the plan, the results since then say how far it has got.
 *
 * @throws {InputError} when `delayMs` is not a number of milliseconds.
 */
export function offline({ delayMs = 0, clock = systemClock }: OfflineOptions = {}): Model {
  if (!(Number.isFinite(delayMs) && delayMs >= 0)) throw new InputError(`delayMs is a number of milliseconds, 0 or more; got ${delayMs}.`)
  return {
    provider: 'offline',
    id: 'offline',
    abilities: { output: 'prompt', images: false, documents: false },
    async *stream(request, { signal }) {
      if (signal.aborted) throw reasonOf(signal)
      const { text, calls } = respond(request)
      yield* speak({ model: 'offline', text, calls, inputTokens: tokensOf(lengthOf(request)) }, { delayMs, clock, signal })
    },
    countTokens: (request) => Promise.resolve(tokensOf(lengthOf(request))),
  }
}

/** The whole of it: what was asked, the plan, how far it has got, and what is to be said or called next. */
function respond(request: ModelRequest): { readonly text: string; readonly calls: readonly Call[] } {
  if (request.output) {
    throw new InvalidRequestError(
      'The offline model cannot give its answer in a set form: it is a small set of rules, not a language model. Choose another model for structured output, for example with OPENAI_API_KEY.',
      { provider: 'offline' },
    )
  }
  const notes = request.tools.length === 0 ? notesOf(textOf(request.messages.at(-1)?.content ?? [])) : undefined
  if (notes !== undefined) return { text: notes, calls: [] }
  const { prompt, attachments, answered, earlier, lastAnswer } = conversationOf(request.messages)
  const tools = toolsOf(request)
  const plan = planOf(prompt, { prompts: earlier, lastAnswer })
  const progress = replay(carryOut(plan, tools), answered)
  if (progress.done) return { text: answerOf(progress.value, attachments, tools), calls: [] }
  if (request.toolChoice === 'none')
    return {
      text: `To answer this I would have to call ${listed([...new Set(progress.calls.map(({ tool }) => `\`${tool}\``))])}, but no tool may be called now.`,
      calls: [],
    }
  return { text: '', calls: progress.calls }
}

/** The tools to plan with. */
function toolsOf({ tools, toolChoice }: ModelRequest): ReadonlySet<string> {
  const names = tools.map(({ name }) => name)
  return new Set(typeof toolChoice === 'object' ? names.filter((name) => name === toolChoice.name) : names)
}

const lengthOf = ({ system, messages, tools }: ModelRequest): number => JSON.stringify([system, messages, tools]).length
