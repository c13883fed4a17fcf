import { describe, expect, it } from 'vitest'
import { prefixesOf } from '../../../src/cli/mcp/prefixes.ts'
import { fc } from '../../support/fast-check.ts'

describe('what stands before the names of tools', { timeout: 30_000 }, () => {
  it('is the name of the server, made legal and told apart', () => {
    const names = [
      'github',
      'my server',
      'my.server',
      'My_Server',
      '__a__',
      'ünïcode',
      '日本',
      '',
      'a-very-long-name-of-a-server-that-is-cut',
    ]
    expect([...prefixesOf(names).values()]).toEqual([
      'mcp__github__',
      'mcp__my_server__',
      'mcp__my_server_2__',
      'mcp__My_Server_3__',
      'mcp__a__',
      'mcp__n_code__',
      'mcp__server__',
      'mcp__server_2__',
      'mcp__a-very-long-name-of-a-ser__',
    ])
  })

  it('is one that a client takes and that no other server has, whatever the names are', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.stringMatching(/^[a-z_]{20,40}$/)), { maxLength: 40 }),
        (names) => {
          const prefixes = [...prefixesOf(names).values()]
          for (const prefix of prefixes) expect(prefix).toMatch(/^mcp__[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*__$/)
          for (const prefix of prefixes) expect(prefix.length).toBeLessThanOrEqual(32)
          expect(new Set(prefixes.map((prefix) => prefix.toLowerCase())).size).toBe(names.length)
        },
      ),
    )
  })
})
