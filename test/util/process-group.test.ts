import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endWithUs } from '../../src/util/process-group.ts'

test('groups that still run end with this program; those let go do not', async () => {
  const before = process.listeners('exit')
  const [kept, freed] = ['sleep', 'sleep'].map((program) => spawn(program, ['1000'], { detached: true, stdio: 'ignore' }))
  const letGo = endWithUs(kept!.pid!)
  endWithUs(freed!.pid!)()
  const added = process.listeners('exit').filter((listener) => !before.includes(listener))
  expect(added.length).toBe(1)
  const ended = once(kept!, 'exit')
  added[0]!(0)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(freed!.exitCode ?? freed!.signalCode).toBe(null)
  freed!.kill()
  letGo()
  expect(process.listeners('exit')).toEqual(before)
})
