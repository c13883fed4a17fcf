import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrustAnswer, TrustQuestion } from '../../../src/cli/trust/ask-trust.ts'
import { isObeyed } from '../../../src/cli/trust/is-obeyed.ts'
import { readProjectFile } from '../../../src/cli/trust/project-file.ts'
import type { ProjectFile } from '../../../src/cli/trust/project-file.ts'
import { newFolder, storeIn } from './support/folders.ts'

const effects = { does: 'starts these MCP servers', lines: ['a: npx a'], how: 'Trust it with `lena mcp trust`.' }
const signal = new AbortController().signal

async function fileWith(folder: string, text: string): Promise<ProjectFile> {
  await writeFile(join(folder, '.mcp.json'), text)
  return (await readProjectFile(folder, '.mcp.json'))!
}

describe('a file that came with the folder', () => {
  it('is left out with nobody to ask, and it is said how to trust it', async () => {
    const [folder, config] = [await newFolder(), await newFolder()]
    const warnings: string[] = []
    const obeying = { store: storeIn(config), warn: (text: string) => void warnings.push(text), signal }
    const file = await fileWith(folder, 'one')
    expect(await isObeyed(file, effects, obeying)).toBe(false)
    await obeying.store.trust(file)
    expect(await isObeyed(file, effects, obeying)).toBe(true)
    expect(await isObeyed(await fileWith(folder, 'two'), effects, obeying)).toBe(false)
    expect(warnings).toEqual([
      `${folder}/.mcp.json is not trusted, so it is left out. It starts these MCP servers. Trust it with \`lena mcp trust\`.`,
      `${folder}/.mcp.json has changed since it was trusted, so it is left out. It starts these MCP servers. Trust it with \`lena mcp trust\`.`,
    ])
  })

  const answers: readonly [answer: TrustAnswer, now: boolean, asksAgain: boolean][] = [
    ['always', true, false],
    ['once', true, true],
    ['no', false, true],
  ]
  it.each(answers)('asks a person: "%s"', async (answer, now, asksAgain) => {
    const [folder, config] = [await newFolder(), await newFolder()]
    const asked: TrustQuestion[] = []
    const obeying = {
      store: storeIn(config),
      ask: async (question: TrustQuestion) => {
        asked.push(question)
        return answer
      },
      warn: expect.unreachable,
      signal,
    }
    const file = await fileWith(folder, 'one')
    expect(await isObeyed(file, effects, obeying)).toBe(now)
    expect(asked).toEqual([{ file, does: effects.does, lines: effects.lines, hasChanged: false, signal }])
    expect(await isObeyed(file, effects, obeying)).toBe(now)
    expect(asked).toHaveLength(asksAgain ? 2 : 1)
  })

  it('asks again once it is another one, and says that it has changed', async () => {
    const [folder, config] = [await newFolder(), await newFolder()]
    const changed: boolean[] = []
    const obeying = {
      store: storeIn(config),
      ask: async ({ hasChanged }: TrustQuestion): Promise<TrustAnswer> => {
        changed.push(hasChanged)
        return 'always'
      },
      warn: expect.unreachable,
      signal,
    }
    const first = await fileWith(folder, 'one')
    await isObeyed(first, effects, obeying)
    await isObeyed(await fileWith(folder, 'two'), effects, obeying)
    await isObeyed(await fileWith(folder, 'one'), effects, obeying)
    expect(changed).toEqual([false, true])
  })

  it('is obeyed this time when the answer cannot be kept', async () => {
    const [folder, config] = [await newFolder(), await newFolder()]
    await writeFile(join(config, 'trust'), 'no folder')
    const warnings: string[] = []
    const file = await fileWith(folder, 'one')
    const isOk = await isObeyed(file, effects, {
      store: storeIn(config),
      ask: async () => 'always',
      warn: (text) => void warnings.push(text),
      signal,
    })
    expect([isOk, warnings]).toEqual([
      true,
      [expect.stringContaining(`That you trust ${folder}/.mcp.json could not be kept, so you will be asked again: `) as string],
    ])
  })
})
