// A user of whom the system knows no home, as in many containers.
import { defaultResults } from '../../../src/results/default-results.ts'
import { fileResults } from '../../../src/results/file-results.ts'

// Loaded by now: the user may not be able to read it.
void fileResults
process.setuid!(Number(process.argv[2]))
const { signal } = new AbortController()
const { path } = await defaultResults().put({ text: 'kept', callId: 'call_1', conversationId: 'conv_1' }, { signal })
process.stdout.write(path)
