import { describe, expect, it } from 'vitest'
import { maskedLine, maskServer } from '../../../src/cli/mcp/mask.ts'

describe('a server that others may see on the screen', () => {
  it('keeps its secrets: values of variables and headers, and what looks like a key', () => {
    expect(
      maskServer({
        command: 'npx',
        args: [
          '-y',
          '@scope/server-name',
          '--api-key',
          'abc',
          '--token=abc',
          '--port',
          '8080',
          '--header',
          'Authorization: Bearer abc',
          '--url',
          'https://u:p@x.example/?k=abc&d=1',
          'ghp_abcdefghijklmnop1234',
        ],
        env: { KEY: 'abc', FROM: '${FROM_1}', BOTH: 'Bearer ${T:-abc}', EMPTY: '' },
        type: 'stdio',
      }),
    ).toEqual({
      command: 'npx',
      args: [
        '-y',
        '@scope/server-name',
        '--api-key',
        '***',
        '--token=***',
        '--port',
        '8080',
        '--header',
        '***',
        '--url',
        'https://***@x.example/?k=***&d=***',
        '***',
      ],
      env: { KEY: '***', FROM: '${FROM_1}', BOTH: '***${T}', EMPTY: '***' },
    })
    expect(
      maskServer({ url: 'https://mcp.example/s/0a1b2c3d4e5f60718293a4b5c6d7e8f9/mcp', headers: { Authorization: 'Bearer abc' } }),
    ).toEqual({
      url: 'https://mcp.example/s/***/mcp',
      headers: { Authorization: '***' },
    })
  })

  it('is otherwise as it is', () => {
    expect(
      maskedLine({ command: '/usr/bin/node', args: ['/home/me/a/very/long/path/to/some/server/dist/index.js', '--read-only', 'a b'] }),
    ).toBe("/usr/bin/node /home/me/a/very/long/path/to/some/server/dist/index.js --read-only 'a b'")
    expect(maskedLine({ url: 'http://127.0.0.1:8080/mcp' })).toBe('http://127.0.0.1:8080/mcp')
    expect([maskedLine(null), maskedLine({ args: 'x' })]).toEqual(['', ''])
  })
})
