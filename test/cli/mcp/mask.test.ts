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

  it.each([
    ['https://u:s3cret@x.example/mcp', 'https://***@x.example/mcp'],
    ['https://x.example/mcp?s3cret&a=s3cret', 'https://x.example/mcp?***&a=***'],
    ['https://x.example/${KEY:-s3cret}/${AREA:-eu}', 'https://x.example/${KEY:-***}/${AREA:-eu}'],
    // What is no address of a server, and may be one that was mistyped.
    ['http:/u:s3cret@x.example', 'http:/***@x.example'],
    ['https:///u:s3cret@x.example/a', 'https:///***@x.example/a'],
    ['htps:u:s3cret@x.example?t=s3cret', 'htps:***@x.example?t=***'],
    ['u:s3cret@x.example', 'u:***@x.example'],
    ['x.example/@scope', '***@scope'],
    [' https://u:s3cret@x.example', '***@x.example'],
    ['', ''],
  ])('keeps what is secret in %j', (url, shown) => expect(maskedLine({ url })).toBe(shown))

  it.each([
    ['postgres://u:s3cret@db.example/main', 'postgres://***@db.example/main'],
    ['--db=postgres://u:s3cret@db.example/main', '--db=postgres://***@db.example/main'],
    ['--with=${API_KEY:-s3cret}', '--with=${API_KEY:-***}'],
  ])('keeps what is secret in the argument %j', (word, shown) => expect(maskServer({ command: 'x', args: [word] }).args).toEqual([shown]))

  it('is otherwise as it is', () => {
    expect(
      maskedLine({ command: '/usr/bin/node', args: ['/home/me/a/very/long/path/to/some/server/dist/index.js', '--read-only', 'a b'] }),
    ).toBe("/usr/bin/node /home/me/a/very/long/path/to/some/server/dist/index.js --read-only 'a b'")
    expect(maskedLine({ url: 'http://127.0.0.1:8080/mcp' })).toBe('http://127.0.0.1:8080/mcp')
    expect([maskedLine(null), maskedLine({ args: 'x' })]).toEqual(['', ''])
  })
})
