// A process that appends to a session, each record behind its last, and says the id of each that was acknowledged.
import { writeSync } from 'node:fs'
import { Session } from '../../../src/sessions/session.ts'
import { openSession } from '../../../src/sessions/open-session.ts'
import { storeAt } from './store-at.ts'

const [place, id, name, count, size] = process.argv.slice(2) as [string, string, string, string, string]
const store = storeAt(place)
const { signal } = new AbortController()
const open = await openSession(new Session({ id, store }), { signal })
writeSync(1, 'ready\n')
process.stdin.once('data', () => void write())

async function write(): Promise<void> {
  for (let i = 0; i < Number(count); i++) {
    const text = `${name}:${i} ${'x'.repeat(Number(size))}`
    await open.append([{ type: 'message', message: { id: `${name}:${i}`, role: 'user', content: [{ type: 'text', text }] } }])
    writeSync(1, `${open.leaf}\n`)
  }
  process.stdin.destroy()
  await store[Symbol.asyncDispose]?.()
}
