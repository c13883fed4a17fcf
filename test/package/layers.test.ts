import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { breaches } from './rings.ts'

describe('the rings', () => {
  it('are kept by all sources', () => {
    expect(breaches(sources())).toEqual([])
  })
})

describe('a planted import', () => {
  const allowed: readonly [path: string, code: string][] = [
    ['src/tools/a.ts', "import { tool } from './tool.ts'"],
    ['src/tools/a.ts', "import { text } from '../messages/content.ts'"],
    ['src/messages/a.ts', "import { isBlank } from '../util/text.ts'"],
    ['src/util/a.ts', "import { InputError } from '../errors.ts'"],
    ['src/errors.ts', "import type { Message } from './messages/message.ts'"],
    ['src/messages/a.ts', "import type { AgentHandle } from '../agent/handle.ts'"],
    ['src/messages/a.ts', "let a: import('../agent/handle.ts').AgentHandle"],
    ['src/models/resolve.ts', "await import('../providers/openai/index.ts')"],
    ['src/tools/registry.ts', "await import('../toolkit/index.ts')"],
    ['src/providers/openai/a.ts', "import { sse } from '../sse.ts'"],
    ['src/providers/openai/a.ts', "import { text } from '../../messages/content.ts'"],
    ['src/providers/openai/a.ts', "import type { Tool } from '../../tools/tool.ts'"],
    ['src/toolkit/a.ts', "import { tool } from '../tools/tool.ts'"],
    ['src/testing/a.ts', "export { Agent } from '../index.ts'"],
    ['src/index.ts', "export { Agent } from './agent/agent.ts'"],
    ['src/cli/a.ts', "import { Agent } from '../index.ts'; import '../toolkit/index.ts'; import './b.ts'"],
    ['src/cli/a.ts', "await import('../providers/openai/index.ts')"],
    ['src/agent/a.ts', "await import('zod'); import 'node:fs'"],
  ]
  it.each(allowed)('of %s is allowed: %s', (path, code) => {
    expect(breaches(new Map([[path, code]]))).toEqual([])
  })

  const refused: readonly [path: string, code: string, said: string][] = [
    ['src/util/a.ts', "import { text } from '../messages/content.ts'", '../messages/content.ts (value): util knows nothing of the domain'],
    [
      'src/util/a.ts',
      "import type { Message } from '../messages/message.ts'",
      '../messages/message.ts (type): util knows nothing of the domain',
    ],
    ['src/errors.ts', "import { text } from './messages/content.ts'", './messages/content.ts (value): errors is inside messages'],
    ['src/messages/a.ts', "import { tool } from '../tools/tool.ts'", '../tools/tool.ts (value): messages is inside tools'],
    ['src/messages/a.ts', "import { type Tool } from '../tools/tool.ts'", '../tools/tool.ts (value): messages is inside tools'],
    ['src/models/a.ts', "export * from '../hooks/hooks.ts'", '../hooks/hooks.ts (value): models is inside hooks'],
    ['src/hooks/a.ts', "import '../agent/agent.ts'", '../agent/agent.ts (value): hooks is inside agent'],
    ['src/tools/a.ts', "async () => await import('../agent/agent.ts')", '../agent/agent.ts (dynamic): tools is inside agent'],
    [
      'src/agent/a.ts',
      "import type { Rule } from '../permissions/index.ts'",
      '../permissions/index.ts (type): the core knows no adapter, nor what is built of it',
    ],
    [
      'src/agent/a.ts',
      "await import('../providers/openai/index.ts')",
      '../providers/openai/index.ts (dynamic): the core knows no adapter, nor what is built of it',
    ],
    [
      'src/agent/a.ts',
      "export type { Agent } from '../index.ts'",
      '../index.ts (type): the core knows no adapter, nor what is built of it',
    ],
    [
      'src/models/resolve.ts',
      "import { openai } from '../providers/openai/index.ts'",
      '../providers/openai/index.ts (value): the core knows no adapter, nor what is built of it',
    ],
    ['src/tools/registry.ts', "await import('../cli/main.ts')", '../cli/main.ts (dynamic): nothing imports the terminal agent'],
    [
      'src/providers/openai/a.ts',
      "import { tool } from '../../tools/tool.ts'",
      '../../tools/tool.ts (value): a provider sees messages and models alone',
    ],
    [
      'src/providers/openai/a.ts',
      "import { Agent } from '../../index.ts'",
      '../../index.ts (value): a provider sees messages and models alone',
    ],
    [
      'src/toolkit/a.ts',
      "import type { Mode } from '../permissions/index.ts'",
      '../permissions/index.ts (type): adapters do not know each other',
    ],
    ['src/testing/a.ts', "import { main } from '../cli/main.ts'", '../cli/main.ts (value): nothing imports the terminal agent'],
    [
      'src/index.ts',
      "export { openai } from './providers/openai/index.ts'",
      './providers/openai/index.ts (value): the root entry reaches the core alone',
    ],
    ['src/agent/a.ts', "import { Agent } from 'lena-agent'", 'lena-agent (value): inside the package the path is relative'],
    [
      'src/extra/a.ts',
      "import '../errors.ts'",
      '../errors.ts (value): src/extra/a.ts is in no ring, name its folder in test/package/rings.ts',
    ],
    ['src/agent/a.ts', "import '../extra/a.ts'", '../extra/a.ts (value): src/extra/a.ts is in no ring'],
    [
      'src/cli/a.ts',
      "import type { AgentHandle } from '../agent/handle.ts'",
      '../agent/handle.ts (type): the terminal agent imports what package.json exports',
    ],
  ]
  it.each(refused)('of %s is refused: %s', (path, code, said) => {
    expect(breaches(new Map([[path, code]]))).toEqual([`${path} imports ${said}`])
  })
})

/** The text of all modules, by their paths from the root of the project. */
function sources(): ReadonlyMap<string, string> {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => posix.join('src', path.replaceAll('\\', '/')))
  return new Map(paths.filter((path) => path.endsWith('.ts')).map((path) => [path, readFileSync(path, 'utf8')]))
}
