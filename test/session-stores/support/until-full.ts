// A process that appends to a session until its file may not grow, and says the id of each record that was acknowledged, and why one was not.
import { writeSync } from 'node:fs'
import { Session } from '../../../src/sessions/session.ts'
import { openSession } from '../../../src/sessions/open-session.ts'
import { storeAt } from './store-at.ts'

const [place, id] = process.argv.slice(2) as [string, string]
const { signal } = new AbortController()
const open = await openSession(new Session({ id, store: storeAt(place) }), { signal })
let failures = 0
for (let i = 0; i < 200 && failures < 3; i++) {
  const text = `${i} ${'x'.repeat(200)}`
  try {
    await open.append([{ type: 'message', message: { id: `m${i}`, role: 'user', content: [{ type: 'text', text }] } }])
    writeSync(1, `m${i}\n`)
  } catch (error) {
    failures++
    writeSync(1, `failed: ${(error as { code?: string }).code}\n`)
  }
}
