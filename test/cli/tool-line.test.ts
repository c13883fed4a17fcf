import { describe, expect, it } from 'vitest'
import { endOf, fitted, titleOf } from '../../src/cli/tool-line.ts'
import type { JsonObject, ToolResultBlock } from '../../src/index.ts'

describe('titleOf', () => {
  it.each<[string, string, JsonObject, string]>([
    ['a path', 'read_file', { path: 'package.json' }, 'read_file package.json'],
    ['numbers besides', 'read_file', { offset: 10, limit: 5, path: 'a.ts' }, 'read_file a.ts offset=10 limit=5'],
    [
      'a command, and not its other texts',
      'shell',
      { why: 'x'.repeat(31), command: 'npm test\nnpm run lint' },
      'shell npm test\\nnpm run lint',
    ],
    ['no long text besides', 'write_file', { path: 'a', content: 'x\ny' }, 'write_file a'],
    ['a tool that nobody knows', 'translate', { to: 'de', formal: true }, 'translate de formal=true'],
    ['nothing', 'list_dir', {}, 'list_dir'],
    ['no text', 'add', { numbers: [1, 2] }, 'add'],
    ['what steers the terminal', 'shell', { command: '\u001b[2Jls' }, 'shell \\x1b[2Jls'],
  ])('%s', (_, name, input, title) => expect(titleOf(name, input)).toBe(title))
})

describe('endOf', () => {
  const result = (rest: Partial<ToolResultBlock>): ToolResultBlock => ({
    type: 'tool_result',
    toolUseId: 'call_1',
    status: 'success',
    content: [],
    ...rest,
  })
  const said = (text: string): Partial<ToolResultBlock> => ({ content: [{ type: 'text', text }] })
  const failed = (text: string, code?: ToolResultBlock['code']): Partial<ToolResultBlock> => ({
    status: 'error',
    ...(code && { code }),
    ...said(text),
  })
  it.each<[string, Partial<ToolResultBlock>, { ok: boolean; text: string }]>([
    ['one line as it is', said('Created a.ts (3 lines).\n'), { ok: true, text: 'Created a.ts (3 lines).' }],
    ['several as their number', said('a\r\nb\nc'), { ok: true, text: '3 lines' }],
    ['a line too long to show', said('x'.repeat(81)), { ok: true, text: '1 line' }],
    ['nothing', said(' \n'), { ok: true, text: 'nothing to show' }],
    [
      'an image',
      { content: [{ type: 'image', mediaType: 'image/png', source: { type: 'base64', data: '' } }] },
      { ok: true, text: '1 image' },
    ],
    [
      'text and a document',
      {
        content: [
          { type: 'text', text: 'a\nb' },
          { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: '' } },
        ],
      },
      { ok: true, text: '2 lines, 1 document' },
    ],
    ['JSON', { content: [{ type: 'json', value: { a: 1 } }] }, { ok: true, text: '{"a":1}' }],
    ['an error', failed('Error: no such file\nmore'), { ok: false, text: 'failed: no such file' }],
    ['an error without words', failed(''), { ok: false, text: 'failed' }],
    ['denied', failed('nobody to ask', 'denied'), { ok: false, text: 'denied: nobody to ask' }],
    [
      'refused, by whom everybody knows',
      failed('The user did not allow this call of write_file. They said: use npm', 'denied'),
      { ok: false, text: 'denied: use npm' },
    ],
    ['refused without a reason', failed('The user did not allow this call of shell.', 'denied'), { ok: false, text: 'denied' }],
    ['timed out', failed('after 5 ms', 'timeout'), { ok: false, text: 'timed out: after 5 ms' }],
    ['a tool that is not there', failed('There is none.', 'not_found'), { ok: false, text: 'no such tool: There is none.' }],
    ['wrong input', failed('path: missing', 'invalid_input'), { ok: false, text: 'wrong input: path: missing' }],
    ['what steers the terminal', said('\u001b]0;x\u0007'), { ok: true, text: '\\x1b]0;x\\x07' }],
  ])('%s', (_, rest, end) => expect(endOf(result(rest))).toEqual(end))
})

describe('fitted', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['😀😀😀', 6, '😀😀😀'],
    ['😀😀😀😀', 6, '😀😀…'],
  ])('%s in %i', (text, width, shown) => expect(fitted(text, width, '…')).toBe(shown))
})
