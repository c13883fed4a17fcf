import { tool } from 'lena-agent'
import { anthropic } from 'lena-agent/anthropic'
import { bedrock } from 'lena-agent/bedrock'
import { fileJournal } from 'lena-agent/durable'
import { google } from 'lena-agent/google'
import { toolsFrom } from 'lena-agent/loading'
import { McpClient, serveMcp, terminalAuth } from 'lena-agent/mcp'
import { compatible, openai } from 'lena-agent/openai'
import { permissions } from 'lena-agent/permissions'
import { fileSessions, sqliteSessions } from 'lena-agent/sessions'
import { readTraceFile, telemetry, traceFile } from 'lena-agent/telemetry'
import * as testing from 'lena-agent/testing'
import * as kit from 'lena-agent/toolkit'
import { AgentError } from 'lena-agent'
import { describe, expect, it } from 'vitest'
import { doorTests, noBoolean, noBound, noCount, noFunction, noOptions, noPort, noSignal, noText, thrownBy } from '../support/door.ts'
import type { Door } from '../support/door.ts'

const look = tool({ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 'seen' })
const noTexts = ['x', [7], null, {}]
const noNames = [7, [], { a: 1 }, Promise.resolve({})]
const runner = { test: (): void => {} }
const maker = (name: string): ((options: any) => unknown) => new Map<string, unknown>(Object.entries(kit)).get(name) as never
const suite = (name: string): ((...of: unknown[]) => unknown) => new Map<string, unknown>(Object.entries(testing)).get(name) as never

const toolkitOptions = {
  workspace: [7, '', null, Promise.resolve('/'), new URL('file:///tmp')],
  host: noPort,
  files: noPort,
  undo: noPort,
  ripgrep: [true, 7, ''],
  env: noNames,
  keepEnv: noTexts,
  sandbox: [7, 'yes', [], Promise.resolve(true), null],
  results: noPort,
  web: [7, [], Promise.resolve({}), null],
  agents: [7, 'x', [7]],
  jobs: noPort,
  clock: noPort,
}
const { agents: _agents, ...ofOneTool } = toolkitOptions
const { host: _host, files: _files, undo: _undo, keepEnv: _keepEnv, results: _results, web: _web, ...ofLocalHost } = ofOneTool

const http = {
  apiKey: [7, null, Promise.resolve('key')],
  baseURL: ['x', 7, null],
  headers: noNames,
  fetch: noFunction,
  body: [7, 'x', [], Promise.resolve({})],
  headersTimeoutMs: noBound,
  idleTimeoutMs: noBound,
  contextWindow: [-1, 1.5, '200k', null],
  clock: noPort,
  maxTokens: noCount,
  temperature: ['hot', Number.NaN],
  topP: ['1', null],
  stopSequences: ['x', [7]],
  thinking: [true, 'high', { effort: 'huge' }],
  extra: [7, 'x', []],
}
const { baseURL: _address, headers: _headers, ...ofBedrock } = http
const abilities = [7, { output: 'json' }, { images: 'yes' }, { image: true }]

const doors: readonly Door[] = [
  { name: 'toolkit', open: kit.toolkit, wrong: toolkitOptions },
  ...(['readFile', 'writeFile', 'editFile', 'listDir', 'glob', 'grep', 'shell', 'webFetch', 'webSearch'] as const).map((name): Door => ({
    name,
    open: maker(name),
    wrong: ofOneTool,
  })),
  {
    name: 'localHost',
    open: kit.localHost,
    wrong: ofLocalHost,
  },
  {
    name: 'sandbox',
    open: (options) => kit.toolkit({ sandbox: options }),
    isLax: true,
    wrong: { network: [7, 'x', null], writable: noTexts, hidden: noTexts },
  },
  {
    name: 'web',
    open: (options) => kit.toolkit({ web: options }),
    wrong: { search: noPort, allowPrivate: [7, 'localhost', [7]], resolve: noFunction },
  },
  { name: 'task', open: kit.task, wrong: { agents: [7, [7]], maxDepth: noCount, maxAtOnce: noCount, renew: noFunction } },
  {
    name: 'a kind of agent',
    open: (options) => kit.toolkit({ agents: { a: options } }),
    base: { description: 'd' },
    wrong: { description: [...noText, ''], model: [7, '', null, {}], tools: ['grep', [7], null], instructions: noText },
  },
  { name: 'memoryUndo', open: kit.memoryUndo, wrong: { maxChanges: noBound, maxBytes: noBound, maxFileBytes: noBound, clock: noPort } },
  {
    name: 'fileUndo',
    open: kit.fileUndo,
    base: { dir: '/tmp/never-made' },
    wrong: { dir: [...noText, ''], maxChanges: noBound, maxBytes: noBound, maxFileBytes: noBound },
  },
  { name: 'fileResults', open: kit.fileResults, wrong: { dir: [...noText, ''], maxBytes: noBound, clock: noPort } },
  { name: 'duckDuckGo', open: kit.duckDuckGo, wrong: { baseURL: ['x', 7, null] } },
  {
    name: 'permissions',
    open: permissions,
    wrong: { mode: ['yolo', 7, null], workspace: [7, ''], host: noPort, rules: ['x', {}], ask: ['maybe', 7], remember: noFunction },
  },
  { name: 'fileSessions', open: fileSessions, base: { dir: '/tmp/never-made' }, wrong: { dir: [...noText, ''], sync: ['yes', 7] } },
  { name: 'sqliteSessions', open: sqliteSessions, base: { path: '/tmp/never-made.db' }, wrong: { path: [...noText, ''] } },
  {
    name: 'fileJournal',
    open: fileJournal,
    base: { file: '/tmp/never-made/journal.jsonl' },
    wrong: { file: [...noText, '', 'a\0b', 10n], onRepeat: noFunction },
  },
  {
    name: 'toolsFrom',
    open: (options) => toolsFrom('./tools', options),
    wrong: { watch: noBoolean, cwd: [7, '', null], timeoutMs: noBound, settleMs: noBound, clock: noPort },
  },
  {
    name: 'telemetry',
    open: telemetry,
    wrong: { content: ['yes', 7], contentPlace: ['here', 7], maxContentChars: noBound, flushMs: noBound },
  },
  { name: 'traceFile', open: traceFile, base: { path: '/tmp/never-made' }, wrong: { path: [...noText, ''], maxBytes: noBound } },
  { name: 'anthropic', open: (options) => anthropic('m', options), wrong: { ...http, betas: noTexts } },
  { name: 'google', open: (options) => google('m', options), wrong: { ...http, vertex: [7, null, { project: 7 }] } },
  { name: 'openai', open: (options) => openai('m', options), wrong: { ...http, provider: [7, ''], abilities, api: ['rest', 7] } },
  {
    name: 'compatible',
    open: (options) => compatible('ollama', 'm', options),
    wrong: { ...http, provider: [7, ''], abilities, api: ['rest', 7], resource: [7, ''], apiVersion: [7, ''] },
  },
  {
    name: 'bedrock',
    open: (options) => bedrock('m', options),
    wrong: { ...ofBedrock, region: [7, ''], endpoint: ['x', 7], credentials: [7, 'x'], client: noPort, guardrail: [7, { id: '' }] },
  },
  {
    name: 'new McpClient',
    open: (options) => new McpClient(options),
    base: { url: 'http://127.0.0.1:1/mcp' },
    wrong: {
      transport: ['ws', 7],
      headers: noNames,
      auth: [7, 'token'],
      fetch: noFunction,
      name: [7, ''],
      prefix: [7, 'a b', 10n],
      allow: ['x', [7]],
      deny: ['x', [7]],
      timeoutMs: noBound,
      startTimeoutMs: noBound,
      failOpen: noBoolean,
      protocolVersion: [7, ''],
      elicitation: ['ask', 7, 10n],
      meta: [7, {}],
      sampling: noFunction,
      roots: ['/work', ['/work'], [{ url: 'file:///' }]],
      onLog: noFunction,
      logLevel: ['loud', 7],
      mediaTypes: noTexts,
      clock: noPort,
    },
  },
  {
    name: 'new McpClient, a program',
    open: (options) => new McpClient(options),
    base: { command: 'never-started' },
    wrong: { command: [7, '', 10n], args: noTexts, env: noNames, cwd: [7, ''] },
  },
  {
    name: 'serveMcp',
    open: (options) => serveMcp({ tools: [look] }, options),
    base: { transport: { port: 0 } },
    wrong: {
      transport: ['http', 7, {}],
      name: [7, ''],
      version: [1, ''],
      instructions: [7, null],
      around: noFunction,
      signal: noSignal,
      stdin: noPort,
      stdout: noPort,
      clock: noPort,
    },
  },
  {
    name: 'terminalAuth',
    open: terminalAuth,
    base: { openUrl: () => {} },
    wrong: {
      openUrl: noFunction,
      store: noPort,
      port: [-1, 65_536, '80', 1.5],
      client: [7, 'x'],
      clientMetadataUrl: ['x', 7],
      clock: noPort,
    },
  },
  {
    name: 'recorder',
    open: testing.recorder,
    wrong: {
      file: [7, '', 'a\0b'],
      cassette: [7, [], {}],
      mode: ['rewind', 7, 10n],
      live: ['x', 7],
      timeoutMs: noBound,
      clock: noPort,
      ids: noPort,
    },
  },
  {
    name: 'a step of a script',
    open: testing.scriptedModel,
    isLax: true,
    wrong: {
      text: noText,
      reasoning: noText,
      calls: ['x', [{}], [{ name: 'a' }]],
      stopReason: [7],
      usage: [7],
      error: ['x', {}],
      hang: ['yes', 1],
      after: [-1, '2'],
    },
  },
  {
    name: 'modelConformance',
    open: (options) => testing.modelConformance(runner, () => ({}) as never, options),
    wrong: { scenes: ['answer', ['nothing']], saysItsOwn: noBoolean },
  },
]

describe('options', () => {
  for (const door of doors) doorTests(door)
})

const suites = [
  'modelConformance',
  'toolConformance',
  'sessionStoreConformance',
  'resultStoreConformance',
  'stepRunnerConformance',
  'hostConformance',
] as const
type Bare = readonly [name: string, call: (value: any) => unknown, values: readonly unknown[]]
const bare: readonly Bare[] = [
  ...suites.map((name): Bare => [`${name}, the runner`, (value) => suite(name)(value, () => {}, { input: {} }), noPort]),
  ...suites.map((name): Bare => [`${name}, what makes it`, (value) => suite(name)(runner, value, { input: {} }), noFunction]),
  ['toolConformance, the samples', (value) => testing.toolConformance(runner, () => look, value), [undefined, ...noOptions, {}]],
  ['scriptedModel', testing.scriptedModel, [7, null, 'Hi.', Promise.resolve({ text: 'Hi.' }), [7]]],
  ['collect', testing.collect, [undefined, null, 7, {}, Promise.resolve()]],
  ['checkEvents', testing.checkEvents, [undefined, null, 7, {}, [null]]],
  ['fakeClock', testing.fakeClock, [null, 'now', Number.NaN, new Date(0)]],
  ['fakeClock().advance', (value) => testing.fakeClock().advance(value), [undefined, null, -1, Number.NaN, '5']],
  ['formatCassette', testing.formatCassette, [undefined, null, 7, {}, []]],
  ['parseCassette', testing.parseCassette, [undefined, null, 7, {}, '']],
  ['toolsFrom', toolsFrom, [undefined, null, 7, '', Promise.resolve({})]],
  ['readTraceFile', readTraceFile, [undefined, null, 7, '', 'a\0b']],
  ['undoLast', kit.undoLast, [undefined, ...noPort]],
  [
    'serveMcp, what is served',
    serveMcp,
    [undefined, null, 7, {}, { tools: [] }, { tools: [7] }, { agent: {} }, { agent: look, tools: [look] }],
  ],
  ['anthropic, the name', anthropic, [undefined, null, 7, '']],
  ['compatible, the preset', (value) => compatible(value, 'm'), [undefined, null, 7, 10n, 'olama']],
]

describe('arguments', () => {
  it.each(bare)('%s', async (_name, call, values) => {
    for (const value of values) {
      const thrown = await thrownBy(() => call(value))
      expect(AgentError.isInstance(thrown), `${typeof value}: ${String(thrown)}`).toBe(true)
    }
  })

  it('an agent and tools served at once are told how to be', async () => {
    expect(String(await thrownBy(() => serveMcp({ agent: look, tools: [look] } as never)))).toBe(
      'InputError: serveMcp() takes { tools } or { agent }, not both. An agent among tools is one of them: { tools: [weather, agent.asTool()] }.',
    )
  })
})
