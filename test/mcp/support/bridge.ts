import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { McpClient } from 'lena-agent/mcp'
import type { McpClientSettings, McpProgram } from 'lena-agent/mcp'
import { oddProgram } from './odd.ts'
import type { Oddity } from './odd.ts'

export const transports = ['stdio', 'http', 'sse'] as const

/** A client of an odd server over this transport, closed when the test is over. */
export async function oddClientOver(
  over: (typeof transports)[number],
  oddity: Oddity = {},
  settings: McpClientSettings = {},
): Promise<McpClient> {
  const program = oddProgram(oddity)
  const client = new McpClient({ ...(over === 'stdio' ? program : { url: await bridged(program, over) }), name: 'odd', ...settings })
  onTestFinished(() => client.close())
  return client
}

type Session = {
  readonly child: ChildProcess
  /** Streams that wait for the answer to a request, by its id. */
  readonly open: Map<unknown, ServerResponse>
  /** The one stream of a session over SSE. */
  readonly whole: ServerResponse | undefined
}

/** A program behind an address: over streamable HTTP, or the older SSE. Each session is a process, and ends with it. */
async function bridged({ command, args = [] }: McpProgram, over: 'http' | 'sse'): Promise<string> {
  const sessions = new Map<string, Session>()
  let count = 0

  function begin(id: string, whole?: ServerResponse): Session {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    // It may be gone before what was written is read.
    child.stdin.on('error', () => {})
    const session: Session = { child, open: new Map(), whole }
    sessions.set(id, session)
    createInterface({ input: child.stdout }).on('line', (line) => tell(session, line))
    child.once('exit', () => {
      sessions.delete(id)
      for (const response of [...session.open.values(), whole]) response?.destroy()
    })
    return session
  }

  function tell({ open, whole }: Session, line: string): void {
    const { id, method } = JSON.parse(line) as { id?: unknown; method?: string }
    const isAnswer = method === undefined
    const response = whole ?? (isAnswer ? open.get(id) : [...open.values()].at(-1))
    response?.write(`event: message\ndata: ${line}\n\n`)
    if (!isAnswer || whole) return
    open.delete(id)
    response?.end()
  }

  function hear({ child, open, whole }: Session, text: string, response: ServerResponse, headers: Record<string, string>): void {
    const { id, method } = JSON.parse(text) as { id?: unknown; method?: string }
    if (whole || id === undefined || method === undefined) response.writeHead(202).end()
    else {
      open.set(id, response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }))
      response.once('close', () => open.delete(id))
      response.flushHeaders()
    }
    child.stdin!.write(`${text}\n`)
  }

  function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    if (over === 'sse') {
      const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
      if (request.method === 'GET') {
        const id = `s${++count}`
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`)
        const { child } = begin(id, response)
        response.once('close', () => child.kill('SIGKILL'))
        return
      }
      const session = pathname === '/messages' ? sessions.get(searchParams.get('session')!) : undefined
      return session ? hear(session, text, response, {}) : void response.writeHead(pathname === '/messages' ? 404 : 405).end()
    }
    const id = request.headers['mcp-session-id'] as string | undefined
    const session = id === undefined ? undefined : sessions.get(id)
    if (request.method === 'DELETE') session?.child.kill('SIGKILL')
    if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
    if (session) return hear(session, text, response, {})
    if (id !== undefined) return void response.writeHead(404).end()
    if ((JSON.parse(text) as { method?: string }).method !== 'initialize') return void response.writeHead(400).end()
    const fresh = `s${++count}`
    hear(begin(fresh), text, response, { 'mcp-session-id': fresh })
  }

  // It runs in the process of its client: while 10,000 tools are compiled there, an idle connection must not count as left.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const { child } of sessions.values()) child.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${over === 'sse' ? 'sse' : 'mcp'}`
}
