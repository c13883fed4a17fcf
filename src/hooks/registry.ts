import { HookError, InputError } from '../errors.ts'
import { InterruptSignal } from '../interrupts/interrupt.ts'
import type { Bound } from '../util/bounded.ts'
import { isThenable, settleBounded } from '../util/bounded.ts'
import { aNumber, checkOptions } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { didYouMean } from '../util/text.ts'
import type { HookEvent, HookName } from './hooks.ts'

type Entry = { readonly fn: (event: never) => void | Promise<void>; readonly order: number; readonly serial: number }

const names = new Set<string>([
  'beforeInvocation',
  'afterInvocation',
  'messageAdded',
  'beforeModelCall',
  'afterModelCall',
  'beforeCompaction',
  'beforeTools',
  'afterTools',
  'beforeToolCall',
  'afterToolCall',
] satisfies HookName[])

/** The hooks of one agent, in the order in which they run: by `order`, then as registered; `after…` hooks the other way round. */
export class HookRegistry {
  readonly #entries = new Map<string, readonly Entry[]>()
  #serial = 0

  /** Adds a hook. The function that comes back takes it away; a run of hooks that is under way still finishes with it. */
  on<K extends HookName>(
    name: K,
    fn: (event: HookEvent<K>) => void | Promise<void>,
    options: { readonly order?: number | undefined } = {},
  ): () => void {
    if (!names.has(name)) {
      const near = typeof name === 'string' ? didYouMean(name, [...names]) : ''
      throw new InputError(`There is no hook ${describe(name)}.${near} Hooks are: ${[...names].join(', ')}.`)
    }
    if (typeof fn !== 'function') throw new InputError(`The hook "${name}" must be a function, got ${describe(fn)}.`)
    checkOptions('on', options, { order: aNumber })
    const entry: Entry = { fn, order: options.order ?? 0, serial: this.#serial++ }
    const entries = [...(this.#entries.get(name) ?? []), entry].sort((a, b) => a.order - b.order || a.serial - b.serial)
    this.#entries.set(name, name.startsWith('after') ? entries.reverse() : entries)
    return () => {
      this.#entries.set(
        name,
        (this.#entries.get(name) ?? []).filter((other) => other !== entry),
      )
    }
  }

  /** Asked first, so that an event that nobody wants is not even made. */
  has(name: HookName): boolean {
    return (this.#entries.get(name)?.length ?? 0) > 0
  }

  /**
   * Runs the hooks one after the other.
   *
   * @throws {HookError} when one throws; those after it do not run.
   */
  async run<K extends HookName>(name: K, event: HookEvent<K>, bound: Bound): Promise<void> {
    const entries = this.#entries.get(name)
    if (!entries) return
    for (const { fn } of entries) {
      try {
        const returned = (fn as (event: HookEvent<K>) => void | Promise<void>)(event)
        if (!isThenable(returned)) continue
        const settled = await settleBounded(returned, bound)
        if (settled && !settled.ok) throw settled.error
      } catch (error) {
        // A question to a person is no failure: who runs the hooks sees that it was asked.
        if (error instanceof InterruptSignal && 'interrupt' in event) return
        if (error instanceof HookError) throw error
        throw new HookError(`The hook ${name} threw: ${error instanceof Error ? error.message : String(error)}`, {
          hook: name,
          cause: error,
        })
      }
    }
  }
}

/** Makes `cancel` of a hook event sticky: once one hook has cancelled, no other can take it back. */
export function stickyCancel<E extends object>(event: E): E & { cancel: string | undefined } {
  let cancel: string | undefined
  return Object.defineProperty(event, 'cancel', {
    enumerable: true,
    get: () => cancel,
    set: (value: unknown) => {
      if (value === undefined || value === null || value === false) return
      // Never blank: the text becomes a message, and no message may be empty.
      cancel = value === true || String(value).trim() === '' ? 'Cancelled by a hook.' : String(value)
    },
  }) as E & { cancel: string | undefined }
}
