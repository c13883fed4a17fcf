import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { expect, it } from 'vitest'
import { telemetry } from '../../src/telemetry/index.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { useContext } from '../telemetry/support/telemetered.ts'

useContext()

it(
  'holds no span that has ended: of five thousand calls those of the newest turn alone, while the run goes on',
  { timeout: 600_000 },
  async () => {
    setFlagsFromString('--expose_gc')
    const collect = runInNewContext('gc') as () => void
    const begun: WeakRef<object>[] = []
    let ended = 0
    const processor = {
      onStart: (span: object) => void begun.push(new WeakRef(span)),
      onEnd: () => void ended++,
      forceFlush: async () => {},
      shutdown: async () => {},
    }
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [processor] })
    const calls = Array.from({ length: 100 }, (_, at) => ({ name: 'look', input: { at } }))
    const steps = [...Array.from({ length: 50 }, () => ({ calls })), { text: 'Done.' }]
    const { agent } = makeAgent(steps, { tools: [look()], plugins: [telemetry({ tracerProvider, content: true })] })
    const alive: number[] = []
    agent.on('beforeModelCall', async ({ turn }) => {
      if (turn % 10 !== 1) return
      for (let i = 0; i < 5; i++) {
        await new Promise((resolve) => setImmediate(resolve))
        collect()
      }
      alive.push(begun.filter((span) => span.deref() !== undefined).length)
    })
    expect((await agent.invoke('go')).text).toBe('Done.')
    expect([begun.length, ended]).toEqual([5052, 5052])
    expect(alive.map((count) => count < 250)).toEqual(Array.from({ length: 6 }, () => true))
  },
)
