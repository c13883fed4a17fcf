import type { AgentEvent, AgentEventOf } from '../agent/events.ts'
import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'

type Report = (index: number, event: AgentEvent, text: string) => void

/**
 * Holds the events of one run against the grammar in `docs/events.md`: every start has one end, deltas stand between the
 * two, ids are not used twice, there is one first and one last event. `[]` when all is well, else a line for each fault.
 */
export function checkEvents(events: readonly AgentEvent[]): readonly string[] {
  if (!Array.isArray(events) || !events.every((event) => typeof event === 'object' && event !== null))
    throw new InputError(
      `checkEvents(): expected the list of events that a run told, such as \`(await collect(stream)).events\`, got ${describe(events)}.`,
    )
  const faults: string[] = []
  const report: Report = (index, event, text) => void faults.push(`events[${index}] ${event.type}: ${text}`)
  const grammar = new Grammar(report)
  if (events.length === 0) return ['there are no events']
  // Who has joined a run by its idempotency token hears only how it ends.
  if (events.length === 1 && isLast(events[0])) return []
  events.forEach((event, index) => grammar.take(event, index, index === 0, index === events.length - 1))
  return faults
}

/** What is open at a point of the run. */
class Grammar {
  readonly #report: Report
  #invocation: string | undefined
  #turn = 0
  #turnOpen = false
  #message: string | undefined
  #attempt = 0
  #retryDue = false
  readonly #blocks = new Map<string, string>()
  readonly #calls = new Map<string, string>()
  readonly #seen = new Set<string>()
  /** What was asked in this turn. */
  readonly #asked = new Set<string>()
  /** May the model be asked: not yet in this turn, or again, as was announced. */
  #mayAsk = true
  #isOver = false
  /** The runs of agents that are called here, by their path. */
  readonly #children = new Map<string, Grammar>()

  constructor(report: Report) {
    this.#report = report
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** @param isLastPlace left out where more may come, and need not. */
  take(event: AgentEvent, index: number, isFirst: boolean, isLastPlace?: boolean): void {
    const fault = (text: string): void => this.#report(index, event, text)
    this.#place(event, isFirst, isLastPlace, fault)
    if (event.invocationId !== (this.#invocation ??= event.invocationId))
      fault(`belongs to the invocation ${event.invocationId}, not to ${this.#invocation}.`)
    if (event.type !== 'turn_start' && event.turn !== this.#turn) fault(`says that it is of turn ${event.turn}, in turn ${this.#turn}.`)
    switch (event.type) {
      case 'turn_start':
        if (this.#turnOpen) fault('comes before the end of the turn before it.')
        if (event.turn !== this.#turn + 1) fault(`is turn ${event.turn} after turn ${this.#turn}.`)
        this.#turn = event.turn
        this.#turnOpen = true
        this.#mayAsk = true
        this.#asked.clear()
        this.#retryDue = false
        return
      case 'turn_end':
        if (!this.#turnOpen) fault('ends a turn that has not begun.')
        if (this.#message !== undefined) fault(`comes while the message ${this.#message} is open.`)
        for (const id of this.#calls.keys()) fault(`comes while the call ${id} runs.`)
        this.#turnOpen = false
        return
      case 'message_start':
        if (!this.#turnOpen) fault('stands outside a turn.')
        if (this.#message !== undefined) fault(`comes while the message ${this.#message} is open.`)
        this.#once(`message ${event.messageId}`, fault)
        if (this.#retryDue && event.attempt !== this.#attempt + 1) fault(`is attempt ${event.attempt} after attempt ${this.#attempt}.`)
        if (!this.#mayAsk) fault('asks the model again in this turn, and neither a retry nor a model_switch was announced.')
        this.#mayAsk = false
        if (!this.#retryDue && event.attempt !== 1) fault(`is attempt ${event.attempt}, and no retry was announced.`)
        this.#message = event.messageId
        this.#attempt = event.attempt
        this.#retryDue = false
        return
      case 'message_end':
        this.#inMessage(event.message.id, fault)
        for (const id of this.#blocks.keys()) fault(`comes while the block ${id} is open.`)
        this.#message = undefined
        return
      case 'message_discarded':
        this.#inMessage(event.messageId, fault)
        this.#blocks.clear()
        this.#message = undefined
        return
      case 'retry':
        if (this.#message !== undefined) fault(`comes before the message ${this.#message} was discarded.`)
        if (this.#retryDue) fault('comes again before the model was asked.')
        if (event.attempt !== this.#attempt + 1) fault(`announces attempt ${event.attempt} after attempt ${this.#attempt}.`)
        this.#retryDue = true
        this.#mayAsk = true
        return
      case 'model_switch':
        if (this.#message !== undefined) fault(`comes before the message ${this.#message} was discarded.`)
        this.#mayAsk = true
        return
      case 'text_start':
      case 'reasoning_start':
        this.#inMessage(event.messageId, fault)
        return this.#open(event.blockId, event.type.replace('_start', ''), fault)
      case 'tool_input_start':
        this.#inMessage(event.messageId, fault)
        return this.#open(event.callId, 'tool_input', fault)
      case 'text_delta':
      case 'reasoning_delta':
        this.#inMessage(event.messageId, fault)
        return this.#isOpen(event.blockId, event.type.replace('_delta', ''), fault)
      case 'tool_input_delta':
        this.#inMessage(event.messageId, fault)
        return this.#isOpen(event.callId, 'tool_input', fault)
      case 'citation':
        this.#inMessage(event.messageId, fault)
        return this.#isOpen(event.blockId, 'text', fault)
      case 'text_end':
      case 'reasoning_end':
        this.#inMessage(event.messageId, fault)
        this.#isOpen(event.blockId, event.type.replace('_end', ''), fault)
        this.#blocks.delete(event.blockId)
        return
      case 'tool_input_end':
        this.#inMessage(event.messageId, fault)
        this.#isOpen(event.callId, 'tool_input', fault)
        this.#blocks.delete(event.callId)
        return
      case 'agent_event':
        return this.#takeChild(event, index, fault)
      case 'output_delta':
      case 'raw_chunk':
        return this.#inMessage(event.messageId, fault)
      case 'tool_start':
        if (!this.#turnOpen) fault('stands outside a turn.')
        this.#once(`run of ${event.callId}`, fault)
        this.#calls.set(event.callId, event.name)
        return
      case 'tool_progress':
        if (!this.#calls.has(event.callId)) fault(`tells of the call ${event.callId}, which is not running.`)
        return
      case 'tool_end':
        if (!this.#calls.delete(event.callId)) fault(`ends the call ${event.callId}, which is not running.`)
        // A call that began early and did not count may begin once more, when its message is complete.
        if (event.discarded) this.#seen.delete(`run of ${event.callId}`)
        if (event.result.toolUseId !== event.callId) fault(`has the result of another call, ${event.result.toolUseId}.`)
        return
      case 'result_persisted':
        if (!this.#turnOpen) fault('stands outside a turn.')
        this.#once(`kept result of ${event.callId}`, fault)
        return
      case 'interrupt':
        if (!this.#turnOpen) fault('stands outside a turn.')
        if (this.#message !== undefined) fault(`comes while the message ${this.#message} is open.`)
        for (const id of this.#calls.keys()) fault(`comes while the call ${id} runs.`)
        if (this.#asked.has(event.interrupt.id)) fault(`asks ${event.interrupt.id} a second time.`)
        this.#asked.add(event.interrupt.id)
        return
      case 'invocation_end': {
        const ids = event.result.interrupts.map(({ id }) => id)
        for (const id of ids) if (!this.#asked.has(id)) fault(`has the question ${id}, which was not told.`)
        return
      }
      case 'resume':
        if (this.#turnOpen) fault('stands inside a turn.')
        return
    }
  }

  /** The run of an agent has the same grammar, inside the call that made it. A call that is given up leaves it where it stands. */
  #takeChild({ path, event }: AgentEventOf<'agent_event'>, index: number, fault: (text: string) => void): void {
    const [callId] = path
    if (callId === undefined || !this.#calls.has(callId)) fault(`tells of the call ${String(callId)}, which is not running.`)
    const key = path.join(' ')
    let child = this.#children.get(key)
    const isFirst = !child || (child.isOver && event.type === 'invocation_start')
    if (isFirst || !child) {
      child = new Grammar((at, inner, text) => this.#report(at, inner, `(of the agent below ${path.join(' > ')}) ${text}`))
      this.#children.set(key, child)
    }
    child.take(event, index, isFirst)
  }

  /** First and last. */
  #place(event: AgentEvent, isFirst: boolean, isLastPlace: boolean | undefined, fault: (text: string) => void): void {
    if ((event.type === 'invocation_start') !== isFirst) fault(isFirst ? 'is the first event, expected invocation_start.' : 'comes again.')
    const last = isLast(event)
    if (this.#isOver && isLastPlace === undefined) fault('comes behind the end of its run.')
    if (last && isLastPlace === false) fault('is not the last event.')
    if (!last && isLastPlace === true) fault('is the last event, expected invocation_end or invocation_error.')
    if (last && this.#turnOpen) fault('comes while a turn is open.')
    if (last) this.#isOver = true
  }

  #inMessage(id: string, fault: (text: string) => void): void {
    if (this.#message !== id) fault(`belongs to the message ${id}, open is ${this.#message ?? 'none'}.`)
  }

  #open(id: string, kind: string, fault: (text: string) => void): void {
    this.#once(`block ${id}`, fault)
    this.#blocks.set(id, kind)
  }

  #isOpen(id: string, kind: string, fault: (text: string) => void): void {
    const open = this.#blocks.get(id)
    if (open !== kind) fault(`is for the ${kind} block ${id}, which ${open === undefined ? 'is not open' : `is a ${open} block`}.`)
  }

  #once(id: string, fault: (text: string) => void): void {
    if (this.#seen.has(id)) fault(`starts the ${id} a second time.`)
    this.#seen.add(id)
  }
}

const isLast = ({ type }: AgentEvent): boolean => type === 'invocation_end' || type === 'invocation_error'
