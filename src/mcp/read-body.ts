import type { IncomingMessage } from 'node:http'

/** A body as text, or `undefined` when it is longer than `maxBytes`: it is then read on by nobody, and thrown away. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const chunks: Buffer[] = []
  let length = 0
  return await new Promise((resolve, reject) => {
    const over = (): void => void request.off('data', take).off('end', end).off('error', fail).off('close', gone)
    const take = (chunk: Buffer): void => {
      chunks.push(chunk)
      if ((length += chunk.length) <= maxBytes) return
      over()
      chunks.length = 0
      resolve(undefined)
    }
    const end = (): void => {
      over()
      resolve(Buffer.concat(chunks).toString())
    }
    const fail = (error: Error): void => {
      over()
      reject(error)
    }
    const gone = (): void => fail(new Error('The client closed the connection.'))
    request.on('data', take).once('end', end).once('error', fail).once('close', gone)
  })
}
