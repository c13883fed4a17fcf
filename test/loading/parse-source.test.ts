import { expect, it } from 'vitest'
import { parseSource } from '../../src/loading/parse-source.ts'

it.each([
  ['./tools', { kind: 'path', path: '/work/tools', exportName: undefined }],
  ['..', { kind: 'path', path: '/', exportName: undefined }],
  ['/a/b.ts:weather', { kind: 'path', path: '/a/b.ts', exportName: 'weather' }],
  ['./b.ts:default', { kind: 'path', path: '/work/b.ts', exportName: 'default' }],
  ['file:///a/b%20c.ts', { kind: 'path', path: '/a/b c.ts', exportName: undefined }],
  ['file:///a/b.ts:$x', { kind: 'path', path: '/a/b.ts', exportName: '$x' }],
  ['tools', { kind: 'package', specifier: 'tools', exportName: undefined }],
  ['@me/tools/more:weather', { kind: 'package', specifier: '@me/tools/more', exportName: 'weather' }],
])('%s', (source, expected) => {
  expect(parseSource(source, '/work')).toEqual(expected)
})

it.each([
  ['C:\\tools\\a.ts', undefined],
  ['c:/tools/a.ts', undefined],
  ['C:\\tools\\a.ts:weather', 'weather'],
])('%s is a path with a drive', (source, exportName) => {
  expect(parseSource(source, '/work')).toMatchObject({ kind: 'path', exportName })
})
