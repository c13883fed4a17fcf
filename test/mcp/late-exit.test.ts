import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { ProcessTransport } from '../../src/mcp/process-transport.ts'
import { patientClock } from '../support/patient-clock.ts'
import { refuseUnhandled } from '../support/unhandled.ts'
import { oddProgram, runs, tempFolder } from './support/odd.ts'

refuseUnhandled()

it('a program may end after its connection was given up', { timeout: 60_000 }, async () => {
  const { clock, limits } = patientClock()
  const folder = await tempFolder()
  const transport = new ProcessTransport(oddProgram({ stubborn: true, heard: join(folder, 'heard') }), clock)
  await transport.start()
  const { pid } = transport
  let closed = 0
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onclose = () => closed++
  let isClosed = false
  const closing = transport.close().then(() => (isClosed = true))
  // Its time is up at once, each time: it has not ended yet when it is waited for no more.
  while (!isClosed) {
    await vi.waitUntil(() => isClosed || limits.sleeping > 0, { timeout: 60_000, interval: 1 })
    await limits.advance(1000)
  }
  await closing
  await vi.waitUntil(() => !runs(pid!), { timeout: 60_000, interval: 10 })
  // Its end is told in a turn of the event loop of its own.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(closed).toBe(1)
})
