import { readCheckpoint } from '../checkpoints/read-checkpoint.ts'
import { AgentError } from '../errors.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import { toolUsesOf } from '../messages/message.ts'
import { repair, unknownOutcome } from '../messages/repair.ts'
import { compactionEntry } from '../sessions/compaction.ts'
import { openSession } from '../sessions/open-session.ts'
import type { OpenSession } from '../sessions/open-session.ts'
import { frozenCopy } from '../util/json.ts'
import type { JsonObject } from '../util/json.ts'
import { flagsInTime } from '../tools/in-time.ts'
import type { AgentCore } from './core.ts'
import type { Run } from './run.ts'

/** The session of an agent while it is open: whatever changes in the history is written behind it, in order. */
export class SessionLog {
  readonly #open: OpenSession
  #state: string
  #hasPending: boolean

  constructor(open: OpenSession, state: object) {
    this.#open = open
    this.#state = writtenState(open.restored.state ?? state)
    this.#hasPending = open.restored.pending !== undefined
  }

  appended(message: Message): void {
    void this.#open.append([{ type: 'message', message }])
  }

  replaced(message: Message, replaces: string): void {
    void this.#open.append([{ type: 'amend', message, replaces }])
  }

  reset(before: readonly Message[], after: readonly Message[]): void {
    void this.#open.append([compactionEntry(before, after)])
  }

  recorded(idempotencyKey: string, result: ToolResultBlock): void {
    void this.#open.append([{ type: 'tool_result', idempotencyKey, result }])
  }

  /** May this process run the call? Else what it came to, or nothing when that is not known. */
  async claim(idempotencyKey: string, signal: AbortSignal): Promise<'mine' | ToolResultBlock | undefined> {
    if (await this.#open.claim(idempotencyKey, { signal })) return 'mine'
    return this.#open.results.get(idempotencyKey)
  }

  resultOf(idempotencyKey: string): ToolResultBlock | undefined {
    return this.#open.results.get(idempotencyKey)
  }

  isClaimed(idempotencyKey: string): boolean {
    return this.#open.claims.has(idempotencyKey)
  }

  /** Writes where the run stands, and waits until all is stored. */
  async save(core: AgentCore): Promise<void> {
    if (core.pending ?? this.#hasPending) {
      // The history is here already.
      const { messages: _messages, ...checkpoint } = core.pending ?? { messages: [] }
      void this.#open.append([
        {
          type: 'pending',
          checkpoint: core.pending ? { ...checkpoint, lastMessage: core.transcript.last?.id } : null,
        },
      ])
      this.#hasPending = core.pending !== undefined
    }
    try {
      const state = writtenState(core.state)
      if (state !== this.#state) {
        void this.#open.append([{ type: 'state', state: JSON.parse(state) as JsonObject }])
        this.#state = state
      }
    } finally {
      // A state that cannot be written keeps nothing else from being.
      await this.#open.flush()
    }
  }
}

/** @throws {AgentError} that names what JSON cannot carry. */
function writtenState(state: object): string {
  try {
    return JSON.stringify(state)
  } catch (cause) {
    let said = cause instanceof Error ? cause.message : String(cause)
    try {
      frozenCopy(state, 'agent.state')
    } catch (named) {
      said = (named as Error).message
    }
    throw new AgentError(`The state of the agent cannot be saved. ${said}`, { code: 'state_not_json', cause })
  }
}

/**
 * Opens the session of an agent, once, and takes over what it holds: history, state, and where a run stopped. A new session begins
 * with what the agent was made with.
 *
 * @throws {SessionError} when it cannot be read.
 */
export async function openLog(core: AgentCore, signal: AbortSignal): Promise<readonly string[]> {
  const { session, transcript, clock } = core
  if (!session || core.log) return []
  const open = await openSession(session, { signal, clock })
  // Somebody else was faster, and a run may have gone on from what it read: `ready()` and an invocation may open it at once.
  if (core.log) return []
  const { messages, state, pending, warnings } = open.restored
  const log = new SessionLog(open, core.state)
  const own = transcript.messages
  const isNew = open.leaf === null
  if (!isNew && !core.ownsHistory) {
    const restored = repair(messages, { openCalls: 'keep', ids: core.ids })
    transcript.reset(restored)
    core.usedIds.reset(restored)
    if (state) {
      for (const key of Object.keys(core.state)) delete (core.state as Record<string, unknown>)[key]
      Object.assign(core.state, structuredClone(state))
    }
    // A run that went on from there and then died has left it behind.
    if (pending && pending['lastMessage'] === restored.at(-1)?.id)
      core.pending = readCheckpoint({ ...pending, messages: restored }, `The session "${session.id}"`)
    // What is kept of the history is named by its messages later: the log must have those that the agent has.
    if (restored.length !== messages.length || restored.some((message, i) => message !== messages[i])) log.reset(messages, restored)
  } else if (isNew) for (const message of own) log.appended(message)
  else log.reset(messages, own)
  core.conversationId = session.id
  core.log = log
  transcript.observe(log)
  return warnings
}

/**
 * Calls that a process which is no more had begun: those that have ended are not run again, those that only read are, and of the
 * others nobody knows what they did. `undefined` when there are no such calls.
 */
export function recoverCalls(run: Run, goesOn: boolean): Promise<void> | undefined {
  const { log, transcript, pending } = run.core
  const calls = !log || pending || run.isResumed ? [] : toolUsesOf(transcript.last)
  return log && calls.length > 0 ? recover(run, log, calls, goesOn) : undefined
}

async function recover(run: Run, log: SessionLog, calls: readonly ToolUseBlock[], goesOn: boolean): Promise<void> {
  const results = await Promise.all(calls.map((call) => resultBefore(run, log, call)))
  for (const [at, result] of results.entries()) if (result) run.results.set(calls[at]!.id, result)
  run.goesOn ||= goesOn && calls.some(({ id }) => run.results.has(id))
}

/** What the call has come to; nothing when it may run. */
async function resultBefore({ core, signal }: Run, log: SessionLog, call: ToolUseBlock): Promise<ToolResultBlock | undefined> {
  const key = `${core.conversationId}:${call.id}`
  const known = log.resultOf(key)
  if (known || !log.isClaimed(key)) return known
  const tool = core.tools.current.get(call.name)
  const readsOnly = tool && (await flagsInTime(tool, call.input, signal, core.clock)).readOnly
  return readsOnly ? undefined : unknownOutcome(call)
}
