// A process that says the ids of all sessions in a folder.
import { writeSync } from 'node:fs'
import { fileSessions } from '../../../src/session-stores/index.ts'

const [dir] = process.argv.slice(2) as [string]
const infos = await fileSessions({ dir }).list({ signal: new AbortController().signal })
writeSync(1, `${infos.map(({ id }) => id).join(' ')}\n`)
