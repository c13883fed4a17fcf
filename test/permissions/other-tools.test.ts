import { join } from 'node:path'
import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { permissions } from '../../src/permissions/index.ts'
import type { PermissionOptions } from '../../src/permissions/index.ts'
import { gateRequest } from '../support/gate-request.ts'
import type { Gate } from '../../src/tools/gate.ts'
import type { ToolTraits } from '../../src/tools/tool.ts'
import { toolNamed } from '../support/tools.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'

type Call = { readonly name?: string | undefined; readonly input?: object | undefined; readonly traits?: ToolTraits<any> | undefined }

/** What is said of a call of a tool that is none of the toolkit, with nobody to ask. */
async function verdictOf({ name = 'my_tool', input = {}, traits = {} }: Call, options: PermissionOptions = {}): Promise<string> {
  const tool = toolNamed(name, () => '', traits)
  let gate: Gate | undefined
  let asked: string | undefined
  const ask: PermissionOptions['ask'] = ({ reason }) => {
    asked = reason
    return false
  }
  await permissions({ ask, ...options }).setup?.({ guard: (given: Gate) => (gate = given) } as never)
  const verdict = await gate!.judge(await gateRequest(tool, input as never))
  return asked === undefined ? `${verdict.decision}${verdict.decision === 'deny' ? `: ${verdict.reason}` : ''}` : `ask: ${asked}`
}

const change = 'ask: It may change something.'
const denied = (rule: string, more = ''): string =>
  `deny: The call of my_tool was refused by a rule: ${rule} is denied.${more} Do not try to reach the same in another way.`
const doubt = (rule: string): string => `ask: It cannot be told whether the rule against ${rule} speaks of it.`

describe('a tool that says nothing of what it touches', () => {
  test('is judged by the text of its input', async () => {
    const call = { input: { to: 'a@b.example' } }
    expect([
      await verdictOf(call),
      await verdictOf(call, { rules: ['allow my_tool(*a@b.example*)'] }),
      await verdictOf(call, { rules: ['allow my_tool(*c@b.example*)'] }),
      await verdictOf(call, { rules: ['deny my_tool(*b.example*)'] }),
      await verdictOf(call, { rules: ['deny my_tool(*c.example*)'] }),
    ]).toEqual([change, 'allow', change, denied('my_tool(*b.example*)'), change])
  })

  test('by its command, of which nothing is known but the text', async () => {
    const call = { input: { command: 'make' } }
    expect([
      await verdictOf(call),
      await verdictOf(call, { rules: ['allow my_tool'] }),
      await verdictOf(call, { rules: ['allow my_tool(make)'] }),
      await verdictOf(call, { rules: ['allow my_tool', 'deny my_tool(rm *)'] }),
    ]).toEqual([change, 'allow', change, doubt('my_tool(rm *)')])
  })

  test('by its address', async () => {
    const call = { input: { url: 'https://a.example/b' } }
    expect([
      await verdictOf(call, { rules: ['allow my_tool(a.example)'] }),
      await verdictOf(call, { rules: ['allow my_tool(b.example)'] }),
      await verdictOf({ input: { url: 'no address' } }, { rules: ['allow my_tool', 'deny my_tool(b.example)'] }),
    ]).toEqual(['allow', change, doubt('my_tool(b.example)')])
  })
})

test('a tool that fails to say what it touches, or says nothing, may touch anything', async () => {
  const failing = () => {
    throw new Error('broken')
  }
  for (const access of [failing, () => 'nothing' as never, () => Promise.reject(new Error('broken'))]) {
    const call = { traits: { access } }
    expect([
      await verdictOf(call, { rules: ['allow my_tool(*)'] }),
      await verdictOf(call, { rules: ['allow my_tool', 'deny my_tool(*never so*)'] }),
    ]).toEqual([change, doubt('my_tool(*never so*)')])
  }
})

describe('a tool of which the options say what its path is', () => {
  const pathInputs = { my_tool: { key: 'file', writes: true } }

  test('is judged as those for files are', async () => {
    const workspace = await workspaceWith({ 'src/a': '' })
    const options = { workspace, pathInputs, mode: 'accept_edits' } as const
    expect([
      await verdictOf({ input: { file: 'src/a' } }, options),
      await verdictOf({ input: { file: '/elsewhere' } }, options),
      await verdictOf({ input: { file: 1 } }, options),
      await verdictOf({ input: { file: 'src/a' } }, { ...options, rules: ['deny my_tool(src/**)'] }),
      // None given: the workspace itself.
      await verdictOf({}, { ...options, rules: ['deny my_tool(.)'] }),
    ]).toEqual(['allow', 'ask: "/elsewhere" lies outside the workspace.', change, denied('my_tool(src/**)'), denied('my_tool(.)')])
  })

  test.each([[{ my_tool: 'file' }], [{ my_tool: { key: 1 } }], ['file'], [{ my_tool: null }]])('not by %j', (wrong) => {
    expect(() => permissions({ pathInputs: wrong as never })).toThrow(
      '`pathInputs` must be an object such as { my_tool: { key: "file", writes: true } }.',
    )
  })
})

test('`~` is the home folder, of the machine that the tools work on', async () => {
  const workspace = await workspaceWith()
  const traits = { access: () => ({ paths: [{ path: '~/no such file' }] }), isReadOnly: true }
  expect(await verdictOf({ traits }, { workspace })).toBe(
    `ask: ${JSON.stringify(join(homedir(), 'no such file'))} lies outside the workspace.`,
  )
  expect(await verdictOf({ traits }, { workspace: join(homedir(), 'no such folder'), rules: ['deny my_tool(~/no such file)'] })).toBe(
    denied('my_tool(~/no such file)'),
  )
})

test('a rule says its reason, to the model when it denies and to the person when it asks', async () => {
  const rule = { tool: 'my_tool', reason: 'It costs money.' } as const
  expect([
    await verdictOf({}, { rules: [{ ...rule, decision: 'deny' }] }),
    await verdictOf({}, { rules: [{ ...rule, decision: 'ask' }] }),
    await verdictOf({}, { rules: ['ask my_tool'] }),
    await verdictOf({}, { rules: ['ask my_tool(*)'] }),
  ]).toEqual([
    denied('my_tool', ' It costs money.'),
    'ask: It costs money.',
    'ask: A rule asks for my_tool.',
    'ask: A rule asks for my_tool(*).',
  ])
})

test('a path that cannot be followed asks', async () => {
  const traits = { access: () => ({ paths: [{ path: 'a\0b' }] }), isReadOnly: true }
  expect([
    await verdictOf({ traits }, { workspace: await workspaceWith() }),
    await verdictOf({ traits: { ...traits, access: () => ({ paths: [{ path: 'x'.repeat(9000) }] }) } }, { workspace: '/' }),
  ]).toEqual(['ask: It cannot be told where "a\\u0000b" leads.', `ask: It cannot be told where "${'x'.repeat(9000)}" leads.`])
})
