import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { OutputStream } from '../../../src/cli/io.ts'
import { Output } from '../../../src/cli/output.ts'
import { Frames } from '../../../src/cli/screen/frames.ts'
import type { Clock } from '../../../src/index.ts'
import { fakeClock } from '../../../src/testing/index.ts'

it('goes on with what moves when the clock is put back', async () => {
  const time = fakeClock()
  let hour = 0
  const clock: Clock = { now: () => time.now() + hour, sleep: (ms, signal) => time.sleep(ms, signal) }
  const out = new Output(new PassThrough() as OutputStream)
  const drawn: (readonly [number, string])[] = []
  const frames = new Frames({ out, clock, draw: (now) => void drawn.push([frames.elapsed(now), frames.sign(now)]), onTurn: () => {} })
  frames.start()
  await time.advance(120)
  hour = -3_600_000
  frames.changed()
  await time.advance(33)
  await time.advance(120)
  frames.stop()
  out.dispose()
  expect(drawn).toEqual([
    [0, '⠋'],
    [120, '⠙'],
    [0, '⠋'],
    [0, '⠋'],
  ])
})
