// Lena with a hook that does nothing at each of the nine places: what hooks cost by themselves.
import { createAgentWith } from './lena.mjs'

export const packages = ['lena-agent']
export const protocols = ['openai', 'anthropic']

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
