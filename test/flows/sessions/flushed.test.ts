import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../src/sessions/session.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { deferred } from '../../support/promises.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

it.each(['invoke', 'stream'] as const)(
  '%s gives no result before the session and the plug-ins have written what they hold',
  async (door) => {
    const memory = memorySessions()
    const [writing, written] = [deferred(), deferred()]
    const store: SessionStore = {
      ...memory,
      append: async (...args) => {
        writing.resolve()
        await written.promise
        await memory.append(...args)
      },
    }
    const order: string[] = []
    const plugin = { name: 'memory', setup: () => {}, flush: () => void order.push('flushed') }
    const session = new Session({ id: 's', store })
    const agent = new Agent({ model: scriptedModel({ text: 'Yes.' }), retry: false, session, plugins: [plugin] })
    const running = (door === 'invoke' ? agent.invoke('go') : agent.stream('go').result).then(() => order.push('result'))
    await writing.promise
    order.push('stored')
    written.resolve()
    await running
    expect([order[0], order.at(-1), order.includes('flushed')]).toEqual(['stored', 'result', true])
    expect((await session.restore()).messages).toEqual(agent.messages)
  },
)
