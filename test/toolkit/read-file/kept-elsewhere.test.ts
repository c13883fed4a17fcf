import { expect, test } from 'vitest'
import { fileResults, localHost, readFile } from 'lena-agent/toolkit'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const { signal } = new AbortController()

/** A machine with nothing but this text in each of its files, and a store on this one. */
async function elsewhere() {
  const workspace = await workspaceWith({ there: 'there' })
  const here = localHost()
  const files = { ...here.files, stat: () => here.files.stat(`${workspace}/there`), open: () => here.files.open(`${workspace}/there`) }
  const results = fileResults({ dir: `${workspace}/results` })
  const { path } = await results.put({ text: 'kept here', callId: 'call_1', conversationId: 'conv_1' }, { signal })
  return { workspace, host: { ...here, files }, results, path }
}

test('what the store keeps is read on this machine, wherever the tools work', async () => {
  const { path, ...options } = await elsewhere()
  expect(await readFile(options)({ path })).toBe('1\tkept here')
})

test('a file that only has such a name is one of the other machine, and so is any other file', async () => {
  const { path, ...options } = await elsewhere()
  const planted = path.replace(/result-\w{32}/, `result-${'0'.repeat(32)}`)
  expect(await readFile(options)({ path: planted })).toBe('1\tthere')
  expect(await readFile(options)({ path: 'a.txt' })).toBe('1\tthere\n[The last line has no newline at its end.]')
})

test('without the store nothing is', async () => {
  const { path, results: _results, ...options } = await elsewhere()
  expect(await readFile(options)({ path })).toBe('1\tthere')
})

test('the last pages of one, and an offset behind its only line', async () => {
  const workspace = await workspaceWith()
  const results = fileResults({ dir: `${workspace}/results` })
  const { path } = await results.put({ text: 'a\nb\nc', callId: 'call_1', conversationId: 'conv_1' }, { signal })
  const read = readFile({ workspace })
  expect(await read({ path, offset: 2 })).toBe('2\tb\n3\tc\n[Lines 2-3 of 3: the end of the file.]')
  const one = await results.put({ text: 'a', callId: 'call_2', conversationId: 'conv_1' }, { signal })
  expect(await failureOf(read({ path: one.path, offset: 2 }))).toBe(`offset=2 is past the end: ${JSON.stringify(one.path)} has 1 line.`)
})
