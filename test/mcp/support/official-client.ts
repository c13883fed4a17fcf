import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { programOf } from '../../support/program.ts'

export type Revision = '2025-11-25' | '2026-07-28'

const args = async (...words: readonly string[]): Promise<string[]> => [
  await programOf(join(import.meta.dirname, 'served-process.ts')),
  ...words,
]

const clientOf = (revision: Revision): Client =>
  new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : 'auto' } })

/** The official client of a second process that serves over its streams; the process ends with it. */
export async function overStreams(revision: Revision, what: 'tools' | 'agent'): Promise<Client> {
  const client = clientOf(revision)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: await args('stdio', what),
    cwd: process.cwd(),
    stderr: 'inherit',
  })
  await client.connect(transport, { timeout: 60_000 })
  return client
}

/** The official client of an address. */
export async function overHttp(revision: Revision, url: string, send: typeof fetch = fetch): Promise<Client> {
  const client = clientOf(revision)
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: send }), { timeout: 60_000 })
  return client
}

export type ServedProcess = { readonly url: string; readonly process: ChildProcess; readonly stop: () => Promise<void> }

/** A second process that serves over HTTP. */
export async function servedProcess(what: 'tools' | 'agent'): Promise<ServedProcess> {
  const child = spawn(process.execPath, await args('http', what), { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', () => reject(new Error('The process that serves has ended.')))
  })
  return {
    url,
    process: child,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
