import { expect, it } from 'vitest'
import { driveEverything } from '../mcp/support/drive-everything.ts'
import { everything } from '../mcp/support/reference.ts'

it('the reference server is driven through all its tools, over stdio', async () => {
  expect(await driveEverything({ command: process.execPath, args: [everything, 'stdio'] })).toBe('All done.')
}, 90_000)
