import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Agent } from '../../src/index.ts'
import { toolsFrom } from '../../src/loading/index.ts'
import { check } from '../../src/messages/check.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import type { Speech } from '../support/hand-model.ts'
import { handModel } from '../support/hand-model.ts'
import type { Deferred } from '../support/promises.ts'
import { deferred } from '../support/promises.ts'
import { sketch } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { listener, scratch, toolText, write } from './support.ts'

/** One run of an agent with the tools of a watched folder, and `look`. Its model is spoken for by the test. */
async function begin(folder: string) {
  const provider = toolsFrom(folder, { watch: true })
  // Hears what the agent hears, a moment later.
  const heard = listener()
  const model = handModel()
  const agent = new Agent({ model, ids: countingIds(), retry: false, tools: [look(), provider] })
  const collecting = collect(agent.stream('go'))
  const first = await model.next()
  provider.addConsumer(heard.consumer)
  const close = async (): Promise<void> => {
    agent.cancel()
    await collecting
    await provider.removeConsumer(heard.consumer)
    await agent.close()
  }
  return { agent, model, heard, first, collecting, close }
}

const namesIn = ({ request }: Speech): readonly string[] => request.tools.map(({ name }) => name)

it('a tool comes, changes, breaks, is mended and goes while one run lasts', { timeout: 120_000 }, async () => {
  const folder = scratch()
  const file = join(folder, 'weather.ts')
  const { agent, model, heard, first, collecting, close } = await begin(folder)
  const seen: (readonly string[])[] = []
  /** One turn: what happens while the model speaks, then a call. */
  const turn = async (speech: Speech, name: string, meanwhile: () => Promise<void>): Promise<Speech> => {
    seen.push(namesIn(speech))
    await meanwhile()
    await speech.call(0, name, { at: 1 })
    await speech.stop('tool_use')
    return await model.next()
  }
  const change = async (text: string, count: number): Promise<void> => {
    await write(file, text)
    await heard.changed(count)
  }
  try {
    let speech = await turn(first, 'look', () => change(toolText('weather', "'sun'"), 1))
    // The version that the turn began with, whatever comes meanwhile.
    speech = await turn(speech, 'weather', () => change(toolText('weather', "'rain'"), 2))
    speech = await turn(speech, 'weather', async () => {
      await write(file, 'export const = broken')
      await heard.warned(1)
    })
    speech = await turn(speech, 'weather', () => change(toolText('weather', "'snow'"), 3))
    speech = await turn(speech, 'weather', async () => {
      await rm(file)
      await heard.changed(4)
    })
    speech = await turn(speech, 'weather', async () => {})
    await speech.stop('end_turn')
    const { events } = await collecting
    expect(seen).toEqual([['look'], ...Array.from({ length: 4 }, () => ['look', 'weather']), ['look']])
    expect(sketch(agent.messages).filter((line) => line.startsWith('user: call_'))).toEqual([
      'user: call_1 success "seen 1"',
      'user: call_2 success "sun"',
      'user: call_3 success "rain"',
      'user: call_4 success "rain"',
      'user: call_5 success "snow"',
      'user: call_6 error/not_found "There is no tool "weather". There are: look."'.replaceAll('"weather"', '\\"weather\\"'),
    ])
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))).toEqual(['tool_reload_failed'])
    expect([check(agent.messages), checkEvents(events)]).toEqual([[], []])
  } finally {
    await close()
  }
})

it('a call that began early ends with its version, and keeps its key, though its file changes under it', { timeout: 120_000 }, async () => {
  const folder = scratch()
  const global = `lena test ${folder}`
  const begun: string[] = []
  const ends: Deferred<void>[] = []
  const run = async (version: string): Promise<string> => {
    begun.push(version)
    const end = deferred()
    ends.push(end)
    await end.promise
    return version
  }
  Object.assign(globalThis, { [global]: run })
  const hasBegun = (...versions: string[]) => expect.poll(() => begun, { timeout: 60_000 }).toEqual(versions)
  const text = (version: string): string => `import { tool } from 'lena-agent'
export default tool({
  name: 'held', description: 'A tool of a test.', inputSchema: { type: 'object', properties: {} },
  isReadOnly: true, isConcurrencySafe: 'the key',
  execute: () => globalThis[${JSON.stringify(global)}]('${version}'),
})
`
  const file = await write(join(folder, 'held.ts'), text('old'))
  const { agent, model, heard, first, collecting, close } = await begin(folder)
  try {
    await first.call(0, 'held', {})
    await hasBegun('old')
    await write(file, text('new'))
    await heard.changed(1)
    await first.call(1, 'held', {})
    await first.stop('tool_use')
    // One key, whatever has changed.
    expect(begun).toEqual(['old'])
    ends[0]!.resolve()
    await hasBegun('old', 'old')
    ends[1]!.resolve()
    const second = await model.next()
    await second.call(0, 'held', {})
    await hasBegun('old', 'old', 'new')
    ends[2]!.resolve()
    await second.stop('tool_use')
    await (await model.next()).stop('end_turn')
    const { events } = await collecting
    expect(sketch(agent.messages).filter((line) => line.startsWith('user: call_'))).toEqual([
      'user: call_1 success "old" call_2 success "old"',
      'user: call_3 success "new"',
    ])
    expect([check(agent.messages), checkEvents(events)]).toEqual([[], []])
  } finally {
    for (const { resolve } of ends) resolve()
    await close()
    Reflect.deleteProperty(globalThis, global)
  }
})
