import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
// Loaded beforehand, so that it does not count as time of the first test.
// oxlint-disable-next-line import/no-unassigned-import -- it is loaded for that alone
import '@modelcontextprotocol/client'
import { McpClient } from 'lena-agent/mcp'
import type { McpClientSettings, McpProgram } from 'lena-agent/mcp'

/** How the server is odd; `odd-server.mjs` says what each means. */
export type Oddity = Readonly<Record<string, unknown>>

const server = join(import.meta.dirname, 'odd-server.mjs')

export const oddProgram = (oddity: Oddity = {}): McpProgram => ({ command: process.execPath, args: [server, JSON.stringify(oddity)] })

/** A client of an odd server, closed when the test is over. */
export function oddClient(oddity: Oddity = {}, settings: McpClientSettings & { readonly env?: Record<string, string> } = {}): McpClient {
  const client = new McpClient({ ...oddProgram(oddity), name: 'odd', ...settings })
  onTestFinished(() => client.close())
  return client
}

/** A folder that goes when the test is over. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lena-mcp-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const linesOf = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

/** Is there a process of this id? */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
