import type { Checkpoint, GivenAnswer } from '../checkpoints/checkpoint.ts'
import { InterruptError } from '../errors.ts'
import type { Questions } from '../interrupts/asking.ts'
import type { Interrupt, InterruptResponse } from '../interrupts/interrupt.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import { sameJson } from '../util/same-json.ts'

/** What one run knows of questions to people: what was asked before, what has an answer, and what it asks itself. */
export class RunQuestions implements Questions {
  readonly now: () => number
  readonly #answers = new Map<string, GivenAnswer>()
  readonly #children = new Map<string, Checkpoint>()
  /** How much was told to the agent of a call: answers, and that none came in time. */
  readonly #toldChildren = new Map<string, number>()
  readonly #open = new Map<string, Interrupt>()
  readonly #raised = new Map<string, Interrupt>()

  constructor(now: () => number) {
    this.now = now
  }

  /** Takes over where a run stopped, with what people have said since. */
  load(checkpoint: Checkpoint, responses: readonly InterruptResponse[]): void {
    this.clear()
    for (const [id, given] of Object.entries(checkpoint.answers)) this.#answers.set(id, given)
    for (const [callId, child] of Object.entries(checkpoint.children)) this.#children.set(callId, child)
    const said = new Map(responses.map((response) => [response.id, response]))
    for (const interrupt of checkpoint.interrupts) {
      const response = said.get(interrupt.id)
      const { expiresAt } = interrupt
      const isLate = expiresAt !== undefined && this.now() >= expiresAt
      if (!response && !isLate) this.#open.set(interrupt.id, interrupt)
      else if (interrupt.path.length > 0) this.#tellChild(interrupt, response)
      else this.#answers.set(interrupt.id, givenTo(interrupt, response?.response ?? null, isLate))
    }
  }

  /** A sub-agent judges by itself what is late. It may ask more than is answered now: what it was told waits with the answers. */
  #tellChild({ id, path }: Interrupt, response: InterruptResponse | undefined): void {
    const callId = path[0]!
    this.#toldChildren.set(callId, (this.#toldChildren.get(callId) ?? 0) + 1)
    if (response) this.#answers.set(id, { response: response.response })
  }

  answerTo(id: string, input: JsonObject | undefined): { readonly response: JsonValue } | { readonly expired: string } | undefined {
    const given = this.#answers.get(id)
    if (!given) return undefined
    if (given.expired !== undefined) return { expired: given.expired }
    // What was approved is what was shown.
    if (!sameJson(given.input, input)) return undefined
    return { response: given.response }
  }

  answered(callId: string): number {
    let count = this.#toldChildren.get(callId) ?? 0
    for (const id of this.#answers.keys()) if (id.startsWith(`${callId}/`)) count++
    return count
  }

  raise(interrupt: Interrupt): void {
    this.#raised.set(interrupt.id, interrupt)
  }

  /** Where a sub-agent stood when this run was resumed, and what was answered to it. */
  takeChild(callId: string): { readonly checkpoint: Checkpoint; readonly responses: readonly InterruptResponse[] } | undefined {
    const checkpoint = this.#children.get(callId)
    if (!checkpoint) return undefined
    const responses = checkpoint.interrupts.flatMap(({ id }): readonly InterruptResponse[] => {
      const given = this.#answers.get(`${callId}>${id}`)
      return given ? [{ type: 'interrupt_response', id, response: given.response }] : []
    })
    return { checkpoint, responses }
  }

  keepChild(callId: string, checkpoint: Checkpoint): void {
    this.#children.set(callId, checkpoint)
    // It has them by now; what it asks from here on is asked anew.
    for (const id of this.#answers.keys()) if (id.startsWith(`${callId}>`)) this.#answers.delete(id)
  }

  /** The calls that cannot begin: what they asked has no answer. */
  get blocked(): ReadonlySet<string> {
    return new Set([...this.#open.values()].map((interrupt) => interrupt.path[0] ?? interrupt.toolUse?.id ?? ''))
  }

  /** What the model reads of a call whose question was answered too late, or not at all. */
  expiredFor(callId: string): string | undefined {
    for (const [id, { expired }] of this.#answers) if (expired !== undefined && id.startsWith(`${callId}/`)) return expired
    return undefined
  }

  /** Did this run ask something? */
  get hasRaised(): boolean {
    return this.#raised.size > 0
  }

  raisedBy(callId: string): boolean {
    return [...this.#raised.values()].some(({ toolUse, path }) => (path[0] ?? toolUse?.id) === callId)
  }

  /** All that waits for an answer, what was asked before first. */
  get open(): readonly Interrupt[] {
    return [...new Map([...this.#open, ...this.#raised]).values()]
  }

  get raised(): readonly Interrupt[] {
    return [...this.#raised.values()]
  }

  get answers(): Checkpoint['answers'] {
    return Object.fromEntries(this.#answers)
  }

  get children(): Checkpoint['children'] {
    return Object.fromEntries(this.#children)
  }

  /** Nothing is open, nothing is known: the turn it was about is over. */
  clear(): void {
    for (const map of [this.#answers, this.#children, this.#toldChildren, this.#open, this.#raised]) map.clear()
  }
}

const givenTo = (interrupt: Interrupt, response: JsonValue, isLate: boolean): GivenAnswer => ({
  response,
  ...(interrupt.toolUse && { input: interrupt.toolUse.input }),
  ...(isLate && {
    expired: `The question "${interrupt.name}" was open until ${new Date(interrupt.expiresAt!).toISOString()}, and had no answer by then.`,
  }),
})

/**
 * Are these answers to questions that are open?
 *
 * @throws {InterruptError} that names what is wrong and what is open.
 */
export function checkResponses(checkpoint: Checkpoint | undefined, responses: readonly InterruptResponse[]): void {
  const open = checkpoint?.interrupts ?? []
  if (open.length === 0)
    throw new InterruptError('No interrupt is pending, so there is nothing to answer. Was it answered already?', {
      code: 'no_interrupt_pending',
    })
  const seen = new Set<string>()
  for (const { id } of responses) {
    if (seen.has(id)) throw new InterruptError(`The interrupt ${id} is answered twice.`, { code: 'answered_twice' })
    seen.add(id)
    if (open.some((interrupt) => interrupt.id === id)) continue
    const isStale = checkpoint !== undefined && Object.hasOwn(checkpoint.answers, id)
    throw new InterruptError(
      `${isStale ? `The interrupt ${id} was answered before.` : `There is no interrupt ${id}.`} Open are: ${open.map((interrupt) => interrupt.id).join(', ')}.`,
      { code: isStale ? 'stale_interrupt' : 'unknown_interrupt' },
    )
  }
}
