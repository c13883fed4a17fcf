import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeOf } from '../../../src/cli/screen/change.ts'
import type { JsonObject } from '../../../src/index.ts'

const workspace = mkdtempSync(join(tmpdir(), 'lena-change-'))
const lines = (count: number, prefix = 'line '): string => Array.from({ length: count }, (_, index) => `${prefix}${index}\n`).join('')
writeFileSync(join(workspace, 'a.txt'), 'one\ntwo\nthree\n')
writeFileSync(join(workspace, 'crlf.txt'), 'one\r\ntwo\r\n')
writeFileSync(join(workspace, 'twice.txt'), 'x\nx\n')
writeFileSync(join(workspace, 'binary'), Buffer.from([0, 255, 1]))
writeFileSync(join(workspace, 'large.txt'), lines(8000))
execFileSync('mkfifo', [join(workspace, 'pipe')])

describe('what a call would change', () => {
  it.each<[string, string, JsonObject, object | undefined]>([
    [
      'a new file',
      'write_file',
      { path: 'new.txt', content: 'a\nb\n' },
      { path: 'new.txt', summary: 'new file, 2 lines', lines: ['+a', '+b'] },
    ],
    [
      'a file that is written anew',
      'write_file',
      { path: 'a.txt', content: 'one\nzwei\nthree\n' },
      { path: 'a.txt', summary: '+1 -1', lines: ['@@ -1,3 +1,3 @@', ' one', '-two', '+zwei', ' three'] },
    ],
    ['nothing', 'write_file', { path: 'crlf.txt', content: 'one\ntwo\n' }, { path: 'crlf.txt', summary: 'no change', lines: [] }],
    [
      'a part, with signs that mean something elsewhere',
      'edit_file',
      { path: 'a.txt', old: 'two', new: "$&$'" },
      { path: 'a.txt', summary: '+1 -1', lines: ['@@ -1,3 +1,3 @@', ' one', '-two', "+$&$'", ' three'] },
    ],
    [
      'several parts',
      'edit_file',
      {
        path: 'a.txt',
        edits: [
          { old: 'three', new: 'drei' },
          { old: 'one', new: 'eins' },
        ],
      },
      { path: 'a.txt', summary: '+2 -2', lines: ['@@ -1,3 +1,3 @@', '-one', '+eins', ' two', '-three', '+drei'] },
    ],
    [
      'every place',
      'edit_file',
      { path: 'twice.txt', old: 'x', new: 'y', all: true },
      { path: 'twice.txt', summary: '+2 -2', lines: ['@@ -1,2 +1,2 @@', '-x', '-x', '+y', '+y'] },
    ],
    [
      'a text that is there twice: what it is to become',
      'edit_file',
      { path: 'twice.txt', old: 'x', new: 'y' },
      {
        path: 'twice.txt',
        summary: '+1 -1',
        lines: ['@@ -1,1 +1,1 @@', '-x', '\\ No newline at end of file', '+y', '\\ No newline at end of file'],
      },
    ],
    ['a file that is not there', 'edit_file', { path: 'none.txt', old: 'a', new: 'b' }, undefined],
    ['a file that is no text', 'write_file', { path: 'binary', content: 'a' }, undefined],
    ['a pipe, without waiting for it', 'write_file', { path: 'pipe', content: 'a' }, undefined],
    ['a folder', 'write_file', { path: '.', content: 'a' }, undefined],
    ['what no edit can be', 'edit_file', { path: 'a.txt', old: 1 }, undefined],
    ['another tool', 'upload', { path: 'a.txt', content: 'x' }, undefined],
    [
      'a text with nothing in common',
      'write_file',
      { path: 'large.txt', content: lines(8000, 'other ') },
      { path: 'large.txt', summary: 'changed nearly everywhere: too much to be compared', lines: [] },
    ],
  ])('%s', async (_, tool, input, change) => expect(await changeOf(tool, input, workspace)).toEqual(change))
})
