import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('the kit is of no test framework, and runs where there are no files', () => {
  const files = readdirSync('src/testing', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const imported = files.flatMap((name) =>
    [...readFileSync(join('src/testing', name), 'utf8').matchAll(/^(?:import|export) (?!type\b).*? from '([^.'][^']*)'/gm)].map(
      ([, from]) => `${name}: ${from}`,
    ),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(imported).toEqual([])
})
