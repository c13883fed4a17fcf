import type { Emit } from '../agent/events.ts'
import type { Asking } from '../interrupts/asking.ts'
import type { CallEnvironment } from './call-environment.ts'
import type { ToolContext } from './tool.ts'

/** What a context stands for inside a run: for tools of ours that are more than a function. */
export type CallInternals = { readonly env: CallEnvironment; readonly asking: Asking }

const known = new WeakMap<ToolContext, CallInternals>()

export const keepInternals = (context: ToolContext, internals: CallInternals): void => void known.set(context, internals)

/** `undefined` for a context from outside a run. */
export const internalsOf = (context: ToolContext): CallInternals | undefined => known.get(context)

const listeners = new WeakMap<ToolContext, Emit>()

/** For a call from outside a run: who hears the events of an agent that is called by it. */
export const keepListener = (context: ToolContext, listener: Emit): void => void listeners.set(context, listener)

export const listenerOf = (context: ToolContext): Emit | undefined => listeners.get(context)
