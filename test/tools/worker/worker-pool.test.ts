import { EventEmitter } from 'node:events'
import type * as tinypool from 'tinypool'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/tools/worker-pool.ts'
import { deferred } from '../../support/promises.ts'
import { tick } from '../../../src/util/clock.ts'

/** A pool with one thread that is busy: what it is given waits. */
async function busyPool() {
  const end = deferred()
  const library = new EventEmitter()
  const Tinypool = function (): object {
    return Object.assign(library, { threads: [], queueSize: 1, run: () => end.promise })
  }
  const pool = await openPool(
    { maxThreads: 1, idleMs: 0, resourceLimits: undefined },
    async () => ({ Tinypool }) as unknown as typeof tinypool,
  )
  const failures: unknown[] = []
  const { ended } = pool.run({}, new AbortController().signal, (error) => void failures.push(error))
  return { library, failures, finish: () => (end.resolve(), ended) }
}

describe('a call that waits for a thread', () => {
  it('fails when no thread can be started', async () => {
    const { library, failures, finish } = await busyPool()
    library.emit('error', new Error('no memory for it'))
    expect(failures.map(String)).toEqual(['WorkerError: The worker thread could not be started: no memory for it'])
    await finish()
  })

  it('waits on when another call wrote to the port of the pool, and lost its thread by that', async () => {
    const { library, failures, finish } = await busyPool()
    library.emit('error', new Error('Unexpected message from Worker: { taskId: 1 }'))
    await tick()
    expect(failures).toEqual([])
    await finish()
  })
})
