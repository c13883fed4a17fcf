// A process that does steps on a journal until its file may not grow, and says what came of each.
import { writeSync } from 'node:fs'
import { fileJournal } from '../../../src/durable/index.ts'

const [file] = process.argv.slice(2) as [string]
const { signal } = new AbortController()
let failures = 0
try {
  await using journal = fileJournal({ file })
  for (let i = 0; i < 200 && failures < 3; i++) {
    const step = { name: `tool:call_${i}`, kind: 'tool' as const, idempotencyKey: `conv_1:call_${i}` }
    try {
      await journal.run(step, async () => (writeSync(1, `ran ${i}\n`), 'x'.repeat(300)), { signal })
      writeSync(1, `done ${i}\n`)
    } catch (error) {
      failures++
      writeSync(1, `failed ${i}: ${(error as { code?: string }).code}\n`)
    }
  }
} catch (error) {
  writeSync(1, `none: ${(error as { code?: string }).code}\n`)
}
