import { fileResults } from '../../../src/results/file-results.ts'

const [, , dir, name, count] = process.argv
const store = fileResults({ dir: dir! })
const { signal } = new AbortController()
const paths: string[] = []
for (let at = 0; at < Number(count); at++) {
  const text = `${name} ${at} `.repeat(2000)
  // One conversation that all share, one of its own that comes and goes.
  paths.push((await store.put({ text, callId: `call_${at}`, conversationId: 'shared' }, { signal })).path)
  await store.put({ text, callId: `call_${at}`, conversationId: 'passing' }, { signal })
  await store.remove('passing')
}
process.stdout.write(JSON.stringify(paths))
