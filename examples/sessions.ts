// A conversation that outlives its process: kept in files, gone on with by its id, and tried again from an earlier point.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, Session, textOf } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { scriptedModel } from 'lena-agent/testing'

const store = fileSessions({ dir: await mkdtemp(join(tmpdir(), 'sessions-')) })

// One process …
const first = new Agent({ model: scriptedModel({ text: 'Nice to meet you, Ada.' }), session: new Session({ id: 'user-42', store }) })
await first.invoke('I am Ada.')
await first.close()

// … and another, on another day. The model is sent what was said before.
const again = scriptedModel((request) => ({ text: `You are Ada: there are ${request.messages.length} messages.` }))
const second = new Agent({ model: again, session: new Session({ id: 'user-42', store }) })
const result = await second.invoke('Who am I?')
console.log(String(result))
assert.equal(String(result), 'You are Ada: there are 3 messages.')

// A copy, in which something else can be tried. The conversation itself stays as it is.
const copy = await new Session({ id: 'user-42', store }).fork({ id: 'user-42-try' })
const { messages } = await copy.restore()
for (const message of messages) console.log(`${message.role}: ${textOf(message.content)}`)
assert.equal(messages.length, 4)
await second.close()
