import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Agent } from '../../src/index.ts'
import { toolsFrom } from '../../src/loading/index.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { listener, scratch, toolText, write } from './support.ts'

it('an agent calls the newest version, and the old one of a file that is broken', { timeout: 120_000 }, async () => {
  const folder = scratch()
  const file = await write(join(folder, 'weather.ts'), toolText('weather', "'sun'"))
  const provider = toolsFrom(folder, { watch: true })
  // Hears what the agent hears, a moment later.
  const heard = listener()
  const turns = [1, 2, 3].flatMap((turn) => [{ calls: [{ name: 'weather', input: {} }] }, { text: `said ${turn}` }])
  const agent = new Agent({ model: scriptedModel(...turns), tools: [provider] })
  const run = async (): Promise<{ answer: string; warned: string[] }> => {
    const warned: string[] = []
    await agent.invoke('How is it?', { onEvent: (event) => void (event.type === 'warning' && warned.push(event.code)) })
    const block = agent.messages.at(-2)?.content[0]
    const content = block?.type === 'tool_result' ? block.content[0] : undefined
    return { answer: content?.type === 'text' ? content.text : '', warned }
  }
  try {
    expect(await run()).toEqual({ answer: 'sun', warned: [] })
    provider.addConsumer(heard.consumer)
    await write(file, toolText('weather', "'rain'"))
    await heard.changed(1)
    expect(await run()).toEqual({ answer: 'rain', warned: [] })
    await write(file, 'export const = broken')
    await heard.warned(1)
    expect(await run()).toEqual({ answer: 'rain', warned: ['tool_reload_failed'] })
  } finally {
    await provider.removeConsumer(heard.consumer)
    await agent.close()
  }
})
