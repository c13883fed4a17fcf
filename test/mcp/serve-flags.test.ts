import { describe, expect, it } from 'vitest'
import { fakeClock } from 'lena-agent/testing'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { refuseUnhandled } from '../support/unhandled.ts'
import { made, overStreams } from './support/serving.ts'

refuseUnhandled()

const never = (): Promise<never> => new Promise(() => {})
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })

describe('a served tool whose flags are promises', { timeout: 60_000 }, () => {
  it('is run when they are there; one that never answers is given up with the time of its tool, on the clock of the service', async () => {
    const ran: string[] = []
    const clock = fakeClock(0)
    const asked = deferred()
    const { write, answer } = await overStreams(
      [
        made('slow', () => (ran.push('slow'), 'Done.'), { isReadOnly: async () => true }),
        made('lost', () => (ran.push('lost'), 'Done.'), { isReadOnly: () => (asked.resolve(), never()), timeoutMs: 60_000 }),
      ],
      { clock },
    )
    write(call(1, 'slow'))
    expect(await answer(1)).toMatchObject({ result: { content: [{ type: 'text', text: 'Done.' }] } })
    write(call(2, 'lost'))
    await asked.promise
    await clock.advance(60_000)
    expect(await answer(2)).toMatchObject({
      result: {
        isError: true,
        content: [{ text: 'The judgement of the call of lost took longer than 60000 ms and was given up. Nothing was run.' }],
      },
    })
    expect(ran).toEqual(['slow'])
  })

  it('keeps no service from its end', async () => {
    const asked = deferred()
    const { service, write } = await overStreams([made('lost', () => 'Done.', { isReadOnly: () => (asked.resolve(), never()) })])
    write(call(1, 'lost'))
    await asked.promise
    expect((await settlesWithin(service.close(), 5000, 'the end of the service')).status).toBe('fulfilled')
  })
})
