import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const examples = existsSync('examples') ? readdirSync('examples').filter((name) => name.endsWith('.ts')) : []

// Without the paths of tsconfig.json, which lead to the sources.
const env = { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.build.json' }

describe('the examples', () => {
  if (examples.length === 0) it.skip('examples/ holds none yet', () => {})

  // As a user has it: `lena-agent` is the built package, found by its name.
  it.each(examples)(
    '%s runs to its end',
    async (name) => {
      const { stdout } = await promisify(execFile)('node', ['--import', 'tsx', `examples/${name}`], { timeout: 60_000, env })
      expect(stdout).not.toBe('')
    },
    90_000,
  )
})
