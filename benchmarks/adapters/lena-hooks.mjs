// Lena with a hook that does nothing at each of the nine places: what hooks cost by themselves.
import { createAgentWith, packages, protocols } from './lena.mjs'

export { packages, protocols }

const places = [
  'beforeInvocation',
  'afterInvocation',
  'messageAdded',
  'beforeModelCall',
  'afterModelCall',
  'beforeTools',
  'afterTools',
  'beforeToolCall',
  'afterToolCall',
]

export const createAgent = (options) => createAgentWith(options, (agent) => places.forEach((place) => agent.on(place, () => {})))
