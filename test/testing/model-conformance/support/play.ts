import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelScene, PlayedModel } from 'lena-agent/testing'
import type { Wire } from './wires.ts'

/** A model of this wire, and a server on loopback that plays the scene. */
export async function play(wire: Wire, scene: ModelScene): Promise<PlayedModel> {
  let begin: () => void
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const closed: Promise<unknown>[] = []
  const server = createServer((request, response) => {
    request.resume()
    closed.push(new Promise((resolve) => request.socket.once('close', resolve)))
    request.on('end', () => {
      begin()
      if (scene.failure !== undefined) {
        const [status, body] = wire.failure(scene.failure)
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return
      }
      // Says nothing at all, not even that it has heard.
      if (scene.name === 'silent') return
      response.writeHead(200, { 'content-type': wire.contentType })
      if (scene.ends === 'complete') response.end(Buffer.concat([wire.begin(scene), wire.end(scene)].map((part) => Buffer.from(part))))
      else response.write(wire.begin(scene), () => scene.ends === 'breaks' && response.socket?.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): Promise<unknown> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  // Nobody listens there any more.
  if (scene.failure === 'network') await close()
  return {
    model: wire.model(origin),
    begun: () => begun,
    released: () => Promise.all(closed),
    dispose: () => (scene.failure === 'network' ? undefined : close()),
  }
}
