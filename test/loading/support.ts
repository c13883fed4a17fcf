import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toolsFrom } from '../../src/loading/index.ts'
import type { ToolsFromOptions } from '../../src/loading/index.ts'
import type { ToolConsumer, ToolProvider } from '../../src/tools/provider.ts'
import { onTestFinished } from 'vitest'

/** A folder of its own for one test. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lena-loading-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

/** As many editors save: a new file takes the place of the old one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text)
  await rename(`${path}~`, path)
}

/** The text of a TypeScript file with one tool. */
export const toolText = (name: string, answer: string): string => `import { tool } from 'lena-agent'
type Input = { readonly city?: string }
export default tool({
  name: '${name}',
  description: 'A tool of a test.',
  inputSchema: { type: 'object', properties: {} },
  execute: (_input: Input): string => ${answer},
})
`

/** A consumer that says what it heard, and waits for more. */
export function listener(name = 'test') {
  const warnings: { readonly code: string; readonly message: string }[] = []
  let changes = 0
  const waiting = new Set<() => void>()
  const notify = (): void => waiting.forEach((look) => look())
  const consumer: ToolConsumer = {
    name,
    toolsChanged: () => {
      changes++
      notify()
    },
    warn: (code, message) => {
      warnings.push({ code, message })
      notify()
    },
  }
  const until = (what: string, test: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!test()) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`${what} did not come. Heard: ${changes} changes, ${JSON.stringify(warnings)}`))
      }, 60_000)
      waiting.add(look)
      look()
    })
  return {
    ...consumer,
    consumer,
    warnings,
    get changes() {
      return changes
    },
    changed: (count: number) => until(`Change ${count}`, () => changes >= count),
    warned: (count: number) => until(`Warning ${count}`, () => warnings.length >= count),
  }
}

/** What the tools of a provider give, by name. Warnings of the load go to `warnings`. */
export async function answers(
  provider: ToolProvider,
  warnings: { code: string; message: string }[] = [],
): Promise<Record<string, unknown>> {
  const signal = new AbortController().signal
  const tools = await provider.loadTools({ signal, warn: (code, message) => void warnings.push({ code, message }) })
  return Object.fromEntries(tools.map((tool) => [tool.name, tool.run({}, undefined as never) as unknown]))
}

/** A watched source that is in use. */
export async function watched(source: string, options: ToolsFromOptions = {}) {
  const provider = toolsFrom(source, { watch: true, ...options })
  const heard = listener()
  provider.addConsumer(heard.consumer)
  onTestFinished(() => provider.removeConsumer(heard.consumer))
  return { provider, heard }
}
