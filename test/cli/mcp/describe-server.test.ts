import { describe, expect, it } from 'vitest'
import { describeServer } from '../../../src/cli/mcp/describe-server.ts'
import { fc } from '../../support/fast-check.ts'

describe('what a person is shown of a server', { timeout: 30_000 }, () => {
  it('is all that is run, reached and handed over, with no variable filled in', () => {
    const program = { command: 'npx', args: ['-y', 'a b', "it's", '', '$(rm -rf ~)'], cwd: 'sub', env: { KEY: '${SECRET_1}', N: '$$5' } }
    expect(describeServer('files', program)).toEqual([
      `files: runs npx -y 'a b' 'it'\\''s' '' '$(rm -rf ~)'`,
      '  in sub',
      '  with KEY=${SECRET_1}',
      '  with N=$$5',
      '  takes from your environment: SECRET_1',
    ])
    const address = { url: 'https://${HOST:-example.com}/mcp', headers: { Authorization: 'Bearer ${OPENAI_API_KEY}' }, disabled: true }
    expect(describeServer('docs', address)).toEqual([
      'docs (disabled): connects to https://${HOST:-example.com}/mcp',
      '  sends Authorization=Bearer ${OPENAI_API_KEY}',
      '  takes from your environment: HOST, OPENAI_API_KEY',
    ])
  })

  it('is what the file says of its tools, by which calls may run that would be asked about', () => {
    const annotations = { '*': { destructiveHint: false }, 'a\u001b[2K': { readOnlyHint: true } }
    expect(describeServer('files', { command: 'npx', annotations })).toEqual([
      'files: runs npx',
      `  has you take for true of '*': {"destructiveHint":false}`,
      `  has you take for true of 'a\\x1b[2K': {"readOnlyHint":true}`,
    ])
  })

  it('cannot be made to look like something else', () => {
    const name = 'ok\n  Trust it? [y]es: y\u001b[1A'
    expect(
      describeServer(name, { command: 'a\u001b[2K\rnpx', args: [`safe${' '.repeat(80)}`, '\u202etxt.exe'], env: { 'A\nB': 'c\nd' } }),
    ).toEqual([`'ok\\n  Trust it? [y]es: y\\x1b[1A': runs 'a\\x1b[2K\\rnpx' 'safe\\x20{80}' '\\u{202e}txt.exe'`, '  with A\\nB=c\\nd'])
  })

  it('is said of what is no server at all', () => {
    for (const server of [null, 1, 'x', [], {}, { command: 3 }, { env: 'x' }])
      expect(describeServer('odd', server)[0]).toBe('odd: cannot be used: it has neither "command" nor "url"')
  })

  it('has no control in any line, and names each variable, whatever the file says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue(), fc.string({ unit: 'binary' }), (name, value, text) => {
        const lines = describeServer(name, { command: text, args: [value, '${NAMED}'], env: { [text]: value }, cwd: text })
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
        expect(lines.at(-1)).toContain('NAMED')
      }),
    )
  })
})
