import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/cli/create-agent.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { world } from './support/world.ts'

describe('createAgent', () => {
  it('tells the model where it is and whom it can ask', async () => {
    const model = scriptedModel({ text: 'Hi.' }, { text: 'Hi.' })
    const { io } = world({ model })
    const setup = { model: 'x', workspace: '/some/where', maxTurns: 3 }
    await createAgent(io, setup).invoke('hello')
    await createAgent(io, { ...setup, ask: async () => true }).invoke('hello')
    const said = model.requests.map(({ system }) => (system[0] as { readonly text: string }).text)
    expect(said[0]).toMatch(/^You are Lena,/)
    expect(said.map((text) => text.split('\n').slice(-4))).toEqual([
      [
        'Nobody can be asked: calls that may change something are denied. Say then what you would have done.',
        'Folder: /some/where',
        'Platform: linux',
        expect.stringMatching(/^Date: (1970-01-01|1969-12-31)$/),
      ],
      [
        'The user is asked before a call that may change something.',
        'Folder: /some/where',
        'Platform: linux',
        expect.stringMatching(/^Date: (1970-01-01|1969-12-31)$/),
      ],
    ])
  })
})
