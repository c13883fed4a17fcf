import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { expect, it } from 'vitest'
import { trace } from '@opentelemetry/api'
import type { HookName, Plugin } from '../../src/hooks/hooks.ts'
import type { AgentHandle } from '../../src/agent/handle.ts'
import { telemetry } from '../../src/telemetry/index.ts'
import { makeAgent } from '../support/make-agent.ts'
import { inMemory } from './support/telemetered.ts'
import { answering, calling, made } from './support/scripts.ts'

/** What a plug-in adds to an agent. */
async function added(options: Parameters<typeof telemetry>[0]): Promise<readonly string[]> {
  const names: string[] = []
  const agent = {
    on: (name: HookName) => void names.push(name),
    use: (stage: string) => void names.push(stage),
  } as unknown as AgentHandle
  await telemetry(options).setup(agent)
  return names
}

it('adds one hook while nobody takes spans, and the rest when somebody does', async () => {
  expect(await added({ content: true })).toEqual(['beforeInvocation'])
  expect(await added(inMemory().providers)).toEqual([
    'beforeModelCall',
    'afterModelCall',
    'beforeToolCall',
    'afterToolCall',
    'afterInvocation',
    'afterInvocation',
    'model',
    'tool',
    'context_model',
    'beforeInvocation',
  ])
})

it('looks at nothing of a run that nobody takes spans of: it reads what the run reads without it', async () => {
  const readWith = await reads([telemetry({ content: true })])
  expect(readWith).toEqual(await reads([]))
  expect(await reads([telemetry({ content: true, ...inMemory().providers })])).not.toEqual(readWith)
})

it('makes no contents for a span that is not kept', async () => {
  const tracerProvider = new BasicTracerProvider({ sampler: new AlwaysOffSampler() })
  expect(await reads([telemetry({ content: true, tracerProvider })])).toEqual(await reads([]))
})

it('begins when a provider is registered between two runs', async () => {
  const { providers, spans } = inMemory()
  const { agent } = makeAgent([answering(), answering()], { plugins: [telemetry()] })
  await agent.invoke('Go.')
  try {
    trace.setGlobalTracerProvider(providers.tracerProvider)
    await agent.invoke('Again.')
  } finally {
    trace.disable()
  }
  expect(spans().map(({ name }) => name)).toEqual(['chat scripted', 'invoke_agent agent'])
})

/** How often the input and the result of a call are read in a whole run, and how often either is made JSON. */
async function reads(plugins: readonly Plugin[]): Promise<unknown> {
  const counts = { result: 0, json: 0 }
  const counted = { toJSON: () => void counts.json++ }
  const result = new Proxy(
    { status: 'success', content: 'ok', ...counted },
    {
      get(target, key, receiver) {
        counts.result++
        return Reflect.get(target, key, receiver)
      },
      ownKeys(target) {
        counts.result++
        return Reflect.ownKeys(target)
      },
    },
  )
  const stringify = JSON.stringify
  let strings = 0
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    strings++
    return stringify(...args)
  }) as typeof stringify
  try {
    const { agent } = makeAgent([calling('work', { a: 1 }), answering()], { tools: [made('work', () => result)], plugins })
    await agent.invoke('Go.')
  } finally {
    JSON.stringify = stringify
  }
  return { ...counts, strings }
}
