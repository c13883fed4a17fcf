import { describe, expect, it } from 'vitest'
import { InputError } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'

describe('new McpClient()', () => {
  it.each([
    [{ command: '/usr/bin/my-server' }, 'my-server'],
    [{ url: 'https://example.com:8080/mcp' }, 'example.com:8080'],
    [{ url: new URL('http://localhost/mcp'), name: 'local' }, 'local'],
  ])('of %j is called %s', (options, name) => {
    expect(new McpClient(options).name).toBe(name)
  })

  it.each([
    [undefined, 'new McpClient() needs { command } or { url }, got undefined.'],
    [{}, 'new McpClient() needs either `command`, a program to start, or `url`, where a server is.'],
    [{ command: 'a', url: 'http://b' }, 'needs either `command`'],
    [{ command: '' }, '`command` must be the name of a program, got "".'],
    [{ url: 'example.com' }, '`url` must be an http or https URL, got "example.com".'],
    [{ command: 'a', timeout: 1 }, 'new McpClient() knows no option "timeout". Did you mean "timeoutMs"?'],
    [{ command: 'a', timeoutMs: 0 }, '`timeoutMs` must be a positive number of milliseconds, got 0.'],
    [{ command: 'a', elicitation: 'ask' }, '`elicitation` must be "interrupt" or a function, got "ask".'],
    [
      { command: 'a', annotations: { '*': { destructive: false } } },
      'new McpClient({ annotations }): expected an object of hints by the names of tools',
    ],
    [
      { command: 'a', annotations: { '*': { readOnlyHint: 'yes' } } },
      'new McpClient({ annotations }): expected an object of hints by the names of tools',
    ],
    [{ command: 'a', prefix: 'a b' }, '`prefix` must be at most 32 letters, digits, "_" or "-", got "a b".'],
  ])('of %j is refused', (options, said) => {
    expect(() => new McpClient(options as never)).toThrow(InputError)
    expect(() => new McpClient(options as never)).toThrow(said)
  })
})
