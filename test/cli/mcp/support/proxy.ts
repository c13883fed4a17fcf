import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'vitest'

export type Proxy = {
  readonly url: string
  /** What was asked of it: `CONNECT host:port`, `POST http://host/path`. */
  readonly seen: readonly string[]
  /** The user and the password that came with each. */
  readonly letIn: readonly (string | undefined)[]
}

/**
 * A proxy on this machine that knows where made-up hosts are, counts what goes through it, and refuses the rest.
 *
 * @param hosts the ports of this machine for `host:port`; `refuses`: it lets nobody in.
 */
export async function proxyTo(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  hosts: Readonly<Record<string, number>> | 'refuses',
): Promise<Proxy> {
  const seen: string[] = []
  const letIn: (string | undefined)[] = []
  const sockets = new Set<Socket>()
  const noted = (request: IncomingMessage): void => {
    seen.push(`${request.method} ${request.url}`)
    const given = request.headers['proxy-authorization']?.replace('Basic ', '')
    letIn.push(given === undefined ? undefined : Buffer.from(given, 'base64').toString())
  }
  const proxy = http.createServer((request, response) => {
    noted(request)
    if (hosts === 'refuses') return void response.writeHead(407).end()
    const { host, pathname, search } = new URL(request.url!)
    const port = hosts[host.includes(':') ? host : `${host}:80`]
    if (port === undefined) return void response.writeHead(502).end()
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = http.request({ host: '127.0.0.1', port, method: request.method, path: `${pathname}${search}`, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  proxy.on('connect', (request, socket: Socket, head) => {
    noted(request)
    const port = hosts === 'refuses' ? undefined : hosts[request.url!]
    if (port === undefined) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      through.write(head)
      through.pipe(socket).pipe(through)
    })
    sockets.add(through)
    for (const each of [through, socket]) each.on('error', () => {})
  })
  proxy.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen, letIn }
}
