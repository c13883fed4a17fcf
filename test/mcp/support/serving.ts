import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
// Loaded beforehand, so that it does not count as time of the first test.
// oxlint-disable-next-line import/no-unassigned-import -- it is loaded for that alone
import '@modelcontextprotocol/server'
import { jsonSchema, tool } from 'lena-agent'
import type { Tool, ToolContext } from 'lena-agent'
import { serveMcp } from 'lena-agent/mcp'
import type { McpHttp, McpService, ServeMcpOptions } from 'lena-agent/mcp'
import { deferred } from '../../support/promises.ts'
import type { Deferred } from '../../support/promises.ts'
import { greeting } from './raw-http.ts'

const anything = jsonSchema<Record<string, unknown>>({ type: 'object', properties: {} })

export const made = (name: string, execute: (input: Record<string, unknown>, context: ToolContext) => unknown, rest: object = {}): Tool =>
  tool({ name, description: `Does ${name}.`, inputSchema: anything, ...rest, execute: execute as never })

export const hello = made('hello', () => 'Hi.')

/** A service of this process over HTTP, ended when the test is over. */
export async function serving(
  tools: readonly Tool[],
  http: Omit<McpHttp, 'port'> = {},
  options: Omit<ServeMcpOptions, 'transport'> = {},
): Promise<McpService & { readonly url: string }> {
  const service = await serveMcp({ tools }, { ...options, transport: { port: 0, ...http } })
  onTestFinished(() => service.close())
  return service as McpService & { readonly url: string }
}

/** A tool that waits until it is told to stop, each call by its own name. */
export function waiting(rest: object = {}): {
  readonly wait: Tool
  readonly begun: (name: string) => Promise<void>
  readonly told: (name: string) => Promise<void>
} {
  const happened = new Map<string, Deferred<void>>()
  const of = (event: string): Deferred<void> => {
    const known = happened.get(event) ?? deferred()
    happened.set(event, known)
    return known
  }
  const wait = made(
    'wait',
    ({ name }, { signal }) => {
      of(`${String(name)} began`).resolve()
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          of(`${String(name)} was told`).resolve()
          reject(new Error('Stopped.'))
        }),
      )
    },
    rest,
  )
  return { wait, begun: (name) => of(`${name} began`).promise, told: (name) => of(`${name} was told`).promise }
}

export type Streams = {
  readonly service: McpService
  readonly stdin: PassThrough
  /** Writes a message, or a line as it is. */
  readonly write: (message: object | string) => void
  /** The answer with this id, or the first notification of this method. */
  readonly answer: (id: number | string) => Promise<any>
  /** The notifications of this method that have come so far. */
  readonly all: (method: string) => readonly any[]
}

/** A service of this process over two streams, ended when the test is over. A client of the revision 2025-11-25 has greeted it. */
export async function overStreams(
  tools: readonly Tool[],
  options: Omit<ServeMcpOptions, 'transport' | 'stdin' | 'stdout'> = {},
): Promise<Streams> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const came: { readonly id?: number; readonly method: string }[] = []
  const answers = new Map<number | string, Deferred<any>>()
  const of = (id: number | string): Deferred<any> => {
    const known = answers.get(id) ?? deferred()
    answers.set(id, known)
    return known
  }
  createInterface({ input: stdout }).on('line', (line) => {
    const message = JSON.parse(line) as { id?: number; method: string }
    came.push(message)
    of(message.id ?? message.method).resolve(message)
  })
  const service = await serveMcp({ tools }, { ...options, stdin, stdout })
  onTestFinished(() => service.close())
  const write = (message: object | string): void => void stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  const streams = {
    service,
    stdin,
    write,
    answer: (id: number | string) => of(id).promise,
    all: (of: string) => came.filter(({ method }) => method === of),
  }
  write(greeting)
  await streams.answer(0)
  write({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return streams
}
