import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { permissions } from 'lena-agent/permissions'
import type { PermissionOptions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit } from 'lena-agent/toolkit'
import { engines } from '../toolkit/support/engines.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'

const files = { 'src/a.txt': 'token one', 'secret/key': 'token two', 'secret/deep/b.txt': 'token three', 'src/.env': 'token four' }
type Call = readonly [name: string, input: Record<string, unknown>]

/** What the model is told of each call. */
async function answers(options: PermissionOptions, ripgrep: string | false, calls: readonly Call[]): Promise<readonly string[]> {
  const workspace = await workspaceWith(files)
  await symlink(join(workspace, 'secret'), join(workspace, 'vault'))
  const model = scriptedModel(...calls.map(([name, input]) => ({ calls: [{ name, input: input as never }] })), { text: 'done' })
  const agent = new Agent({ model, tools: [toolkit({ workspace, ripgrep })], plugins: [permissions({ workspace, ...options })] })
  await agent.invoke('Look for the token.')
  return agent.messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join()] : [],
    ),
  )
}

const nothing = '[Nothing matches. Binary files, what ignore files name and what rules hold back are not searched.]'

describe.each(engines)('a search of a folder leaves out what a rule denies, %s', (_, ripgrep) => {
  test('by each way to show what is found, and nothing is told of a match', async () => {
    const said = await answers({ rules: ['deny read_file(secret/**)', 'deny read_file(**/.env)'] }, ripgrep, [
      ['grep', { pattern: 'token' }],
      ['grep', { pattern: 'token', show: 'counts' }],
      ['grep', { pattern: 'token', show: 'files', limit: 1 }],
      ['grep', { pattern: 'token two' }],
      ['grep', { pattern: 'token nine' }],
      ['grep', { pattern: 'token', glob: '*.txt', context: 2, path: './src/..' }],
      ['glob', { pattern: '**' }],
      ['glob', { pattern: 'key' }],
    ])
    expect(said).toEqual([
      'src/a.txt\n1:token one',
      'src/a.txt: 1',
      'src/a.txt',
      nothing,
      nothing,
      'src/a.txt\n1:token one',
      'src/a.txt\n[Left out by a rule: 3 files. To ask for one, name it.]',
      '[Left out by a rule: 1 file. To ask for one, name it.]',
    ])
  })

  test('also by a rule for the search itself, and by the name of a link', async () => {
    const rules = ['deny grep(vault/**)', 'deny glob(src/**)']
    expect(await answers({ rules }, ripgrep, [['grep', { pattern: 'token', path: 'vault' }]])).toEqual([
      expect.stringContaining('grep(vault/**) is denied'),
    ])
    const said = await answers({ rules: ['deny read_file(vault/deep/*)'] }, ripgrep, [
      ['grep', { pattern: 'token', path: 'vault' }],
      ['grep', { pattern: 'token', path: 'secret', show: 'files' }],
    ])
    expect(said).toEqual(['vault/key\n1:token two', 'secret/deep/b.txt\nsecret/key'])
  })

  test('what is asked for is left out, until it is asked for by its folder', async () => {
    const asked: string[] = []
    const ask: PermissionOptions['ask'] = ({ tool, input }) => (asked.push(`${tool.name} ${String(input['path'])}`), true)
    const said = await answers({ rules: ['ask read_file(secret/**)'], ask }, ripgrep, [
      ['grep', { pattern: 'token', glob: '*[!v]' }],
      ['grep', { pattern: 'token', path: 'secret', show: 'files' }],
      ['glob', { pattern: '*', path: 'secret' }],
    ])
    expect([said, asked]).toEqual([
      ['src/a.txt\n1:token one', 'secret/deep/b.txt\nsecret/key', 'secret/deep/b.txt\nsecret/key'],
      ['grep secret', 'glob secret'],
    ])
  })

  test('and nothing where no rule speaks of files', async () => {
    expect(
      await answers({ rules: ['deny shell(x)', 'allow read_file(src/**)'] }, ripgrep, [['grep', { pattern: 'token two', show: 'files' }]]),
    ).toEqual(['secret/key'])
  })
})

test('a tool of your own hears of it, from every gate', async () => {
  const workspace = await workspaceWith(files)
  const gates = [
    permissions({ workspace, rules: ['deny read_file(secret/**)'] }),
    permissions({ workspace, rules: ['deny read_file(**/.env)'] }),
  ]
  const heard: (boolean | undefined)[] = []
  const [grep] = toolkit({ workspace }).filter(({ name }) => name === 'grep')
  const own = {
    ...grep!,
    name: 'grep',
    run: (_: unknown, context: { isWithheld?: ((path: string) => boolean) | undefined }) => {
      for (const path of ['secret/key', 'src/.env', 'src/a.txt']) heard.push(context.isWithheld?.(join(workspace, path)))
      return 'seen'
    },
  }
  const model = scriptedModel({ calls: [{ name: 'grep', input: { pattern: 'x' } }] }, { text: 'done' })
  await new Agent({ model, tools: [own as never], plugins: gates.map((gate, index) => ({ ...gate, name: `gate_${index}` })) }).invoke('Go.')
  expect(heard).toEqual([true, true, false])
})
