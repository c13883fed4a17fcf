// @ts-check
/**
 * A server that speaks the protocol by hand, so that it can do what no library would: die, be silent, send nonsense. One JSON
 * argument says how:
 *   diesOnUnknown    ends at a request that it does not know before it was greeted
 *   silentStart      never answers
 *   failStart        ends at once, with this text on its standard error
 *   starts           a file that gets a line for each start of the process
 *   heard            a file that gets a line for each notification, and for SIGTERM
 *   tools            the tools it lists; a page of 100 each when `pages` is true
 *   many             so many tools, each of which says what it was given
 *   stubborn         does not end when it is told to
 *   noise            prints what is no message before and after each message: logs, halves of JSON, values that are no objects
 *   lists            a file that gets a line for each time the tools are listed
 *   fickle           has the tools of its first list in that one alone
 *   endless          each page of its list names another
 *   version          the revision that it speaks, whatever it is asked for
 *   child            starts a process of its own, and writes its id into this file
 */
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const how = JSON.parse(process.argv[2] ?? '{}')
if (how.starts) appendFileSync(how.starts, `${process.pid}\n`)
const hear = (/** @type {string} */ what) => how.heard && appendFileSync(how.heard, `${what}\n`)
if (how.failStart) {
  process.stderr.write(how.failStart)
  process.exit(3)
}
if (how.stubborn) {
  process.on('SIGTERM', () => hear('SIGTERM'))
  setInterval(() => {}, 1000)
}
if (how.child) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  writeFileSync(how.child, String(child.pid))
}
const schema = { type: 'object', properties: {} }
const usual = ['echo', 'env', 'crash', 'never', 'progress', 'big', 'ask', 'asks_roots', 'page_first', 'log', 'change', 'bad_output'].map(
  (name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: schema,
    ...(name === 'echo' && { annotations: { readOnlyHint: true } }),
    ...(name === 'bad_output' && { outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } }),
  }),
)
const tools = how.many
  ? Array.from({ length: how.many }, (_, n) => ({ name: `tool_${n}`, description: `Tool ${n}.`, inputSchema: schema }))
  : (how.tools ?? usual)

const noise = how.noise
  ? ['[info] up', '{"jsonrpc":"2.0","id":', '', 'null', '7', '"text"', '[]', '{}', '{"id":null}', '\u0000\u001b[31m']
  : []
const send = (/** @type {object} */ message) =>
  process.stdout.write([...noise, JSON.stringify({ jsonrpc: '2.0', ...message }), ...noise].map((line) => `${line}\n`).join(''))
const text = (/** @type {string} */ said) => ({ content: [{ type: 'text', text: said }] })
/** @type {Map<string, (answer: any) => void>} */
const asked = new Map()
const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
  new Promise((resolve) => {
    const id = `q${asked.size + 1}`
    asked.set(id, resolve)
    send({ id, method, params })
  })
/** Calls that are answered when they are cancelled. @type {Map<unknown, () => void>} */
const late = new Map()
let greeted = false
let listed = 0

/** @type {Record<string, (params: any, id: unknown) => any>} */
const calls = {
  echo: ({ arguments: input }) => text(JSON.stringify(input)),
  env: () => text(JSON.stringify(process.env)),
  crash: () => {
    process.stderr.write('out of cheese\n')
    process.exit(7)
  },
  never: () => undefined,
  progress: async ({ _meta, arguments: { steps, everyMs } }) => {
    for (let progress = 1; progress <= steps; progress++) {
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      send({
        method: 'notifications/progress',
        params: { progressToken: _meta?.progressToken, progress, total: steps, message: `step ${progress}` },
      })
    }
    return text('done')
  },
  big: ({ arguments: { bytes } }) => text('x'.repeat(bytes)),
  ask: async ({ arguments: input }) => {
    const answers = []
    for (const message of input.questions ?? ['Which?'])
      answers.push(
        await ask(
          'elicitation/create',
          typeof message === 'object'
            ? message
            : {
                message,
                requestedSchema: { type: 'object', properties: { which: { type: 'string' }, count: { type: 'integer', default: 3 } } },
              },
        ),
      )
    return text(JSON.stringify(answers))
  },
  asks_roots: async () =>
    text(JSON.stringify([await ask('roots/list', {}), await ask('sampling/createMessage', { messages: [], maxTokens: 5 })])),
  page_first: () =>
    refuse(-32042, 'Log in first', {
      elicitations: [{ mode: 'url', elicitationId: 'e1', url: 'https://example.com/login', message: 'Log in' }],
    }),
  log: () => {
    send({ method: 'notifications/message', params: { level: 'error', logger: 'disk', data: 'The disk is full.' } })
    return text('logged')
  },
  change: () => {
    tools.push({ name: 'newcomer', description: 'New.', inputSchema: schema })
    send({ method: 'notifications/tools/list_changed' })
    return text('changed')
  },
  late: (_, id) =>
    new Promise((resolve) => {
      late.set(id, () => resolve(text('too late')))
    }),
  storm: ({ arguments: { times } }) => {
    for (let count = 0; count < times; count++) send({ method: 'notifications/tools/list_changed' })
    return text('over')
  },
  moan: async ({ arguments: { lines } }) => {
    for (let count = 0; count < lines; count++)
      await new Promise((resolve) => process.stderr.write(`${'moan '.repeat(200)}${count}\n`, resolve))
    return text('sighed')
  },
  ask_idle: (_, id) => {
    // In one piece: read apart, the question would come in the next call.
    process.stdout.cork()
    send({ id, result: text('over') })
    void ask('elicitation/create', { message: 'Now?', requestedSchema: schema }).then((answer) => hear(`idle ${JSON.stringify(answer)}`))
    process.stdout.uncork()
  },
  twice: (_, id) => {
    send({ id, result: text('first') })
    send({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: 1 } })
    send({ id: 'never asked', result: text('surprise') })
    return text('second')
  },
  ping_me: async () => text(JSON.stringify(await ask('ping', {}))),
  unknown_me: async () => text(JSON.stringify(await ask('tools/explode', {}))),
  both: () => ({ ...text('No.'), structuredContent: { why: 'broken' }, isError: true }),
  nonsense: () => ({ content: 'nothing' }),
  bad_output: () => ({ ...text('n is many'), structuredContent: { n: 'many' } }),
}

/** @type {Record<string, (params: any, id: unknown) => any>} */
const methods = {
  initialize: ({ protocolVersion }) => {
    greeted = true
    return {
      protocolVersion: how.version ?? protocolVersion,
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'odd', version: '1.2.3' },
      instructions: 'Be odd.',
    }
  },
  ping: () => ({}),
  'logging/setLevel': ({ level }) => {
    hear(`level ${level}`)
    return {}
  },
  'tools/list': ({ cursor = '0' } = {}) => {
    if (how.lists) appendFileSync(how.lists, `${cursor}\n`)
    if (how.endless)
      return {
        tools: [],
        nextCursor: how.endless === 'same' ? 'a' : how.endless === 'ring' ? (cursor === 'a' ? 'b' : 'a') : String(Number(cursor) + 1),
      }
    if (how.fickle && listed++ > 0) return { tools: tools.filter((/** @type {{ name: string }} */ { name }) => name === 'echo') }
    if (!how.pages) return { tools }
    const from = Number(cursor)
    return { tools: tools.slice(from, from + 100), ...(from + 100 < tools.length && { nextCursor: String(from + 100) }) }
  },
  'tools/call': (params, id) => {
    const call = calls[params.name] ?? (how.many ? calls['echo'] : undefined)
    if (!call) refuse(-32602, `no tool ${params.name}`)
    return call(params, id)
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (!how.silentStart) void answer(JSON.parse(line))
})

/** @param {any} message */
async function answer({ id, method, params, result, error }) {
  if (method === undefined) return asked.get(id)?.(result ?? { error })
  if (method === 'notifications/cancelled') late.get(params.requestId)?.()
  if (id === undefined) return hear(`${method} ${JSON.stringify(params ?? {})}`)
  const known = methods[method]
  if (!known && !greeted && how.diesOnUnknown) process.exit(1)
  try {
    if (!known) refuse(-32601, 'Method not found')
    const given = await known(params, id)
    if (given !== undefined) send({ id, result: given })
  } catch (thrown) {
    const { code, message, data } = /** @type {any} */ (thrown)
    send({ id, error: { code, message, data } })
  }
}

/** @param {number} code @param {string} message @param {object} [data] @returns {never} */
function refuse(code, message, data) {
  throw Object.assign(new Error(message), { code, data })
}
