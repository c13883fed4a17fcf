// A chat over server-sent events whose runs go on when a browser drops: it comes back with the last id and gets what it missed.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, jsonSchema, memorySessions, Session, tool, type AgentEvent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'

const lookUp = tool({
  name: 'look_up',
  description: 'Looks a parcel up.',
  inputSchema: jsonSchema<{ parcel: string }>({ type: 'object', properties: { parcel: { type: 'string' } }, required: ['parcel'] }),
  isReadOnly: true,
  execute: ({ parcel }) => `${parcel} is on its way.`,
})

/** The run of a conversation: what was told so far, and who waits for more. */
type Live = { readonly events: AgentEvent[]; readonly news: EventTarget; over: boolean }

const store = memorySessions()
const runs = new Map<string, Live>()

function start(id: string, prompt: string): Live {
  // A real server takes a model by its name.
  const model = scriptedModel({ text: 'Let me see.', calls: [{ name: 'look_up', input: { parcel: '17' } }] }, { text: 'It is on its way.' })
  const agent = new Agent({ model, tools: [lookUp], session: new Session({ id, store }), limits: { turns: 8 } })
  const run: Live = { events: [], news: new EventTarget(), over: false }
  const tell = (): void => void run.news.dispatchEvent(new Event('news'))
  const read = async (): Promise<void> => {
    try {
      for await (const event of agent.stream(prompt)) {
        run.events.push(event)
        tell()
      }
    } catch {
      // The last event, `invocation_error`, has said it.
    } finally {
      run.over = true
      tell()
      await agent.close()
    }
  }
  void read()
  runs.set(id, run)
  return run
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const id = searchParams.get('id') ?? 'anonymous'
  const prompt = searchParams.get('q')
  // A browser that comes back asks for nothing new.
  const run = prompt === null ? runs.get(id) : start(id, prompt)
  if (!run) return void response.writeHead(404).end()
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let next = Number(request.headers['last-event-id'] ?? -1) + 1
  while (!gone.signal.aborted) {
    for (; next < run.events.length; next++) response.write(`id: ${next}\ndata: ${JSON.stringify(run.events[next])}\n\n`)
    if (run.over) break
    await once(run.news, 'news', { signal: gone.signal }).catch(() => {})
  }
  response.end()
}

const server = createServer((request, response) => void serve(request, response))
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?id=ann`

// A browser that drops after the first piece …
const dropped = new AbortController()
const first = await fetch(`${address}&q=Where%20is%20parcel%2017%3F`, { signal: dropped.signal })
const { value } = await first.body!.getReader().read()
dropped.abort()
const last = /id: (\d+)\n[^]*?$/.exec(new TextDecoder().decode(value))?.[1] ?? '0'

// … and comes back.
const rest = await (await fetch(address, { headers: { 'last-event-id': last } })).text()
const events = rest.match(/(?<=^data: ).*$/gm)!.map((line) => JSON.parse(line) as AgentEvent)
console.log(events.map((event) => (event.type === 'text_delta' ? event.text : '')).join(''))
console.log(events.at(-1)?.type)
server.close()
