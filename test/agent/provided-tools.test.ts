import { describe, expect, it } from 'vitest'
import { ProvidedTools } from '../../src/agent/provided-tools.ts'
import { Tools } from '../../src/tools/registry.ts'
import type { ToolProvider } from '../../src/tools/provider.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import { testProvider } from '../support/provider.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const { signal } = new AbortController()

function setUp(...providers: readonly ToolProvider[]) {
  const told: string[] = []
  let listening = true
  const tools = new Tools()
  tools.add(providers)
  const provided = new ProvidedTools({
    name: 'lena',
    tools,
    clock: fakeClock(),
    tell: (code) => {
      if (listening) told.push(code)
      return listening
    },
  })
  return { tools, provided, told, listen: (on: boolean) => void (listening = on) }
}

describe('before a turn', () => {
  it('nothing is waited for when nothing has changed', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { provided, tools } = setUp(mcp)
    await provided.refresh(signal)
    expect(provided.refresh(signal)).toBeUndefined()
    expect(provided.refresh(signal, { retry: true })).toBeUndefined()
    const { current } = tools
    mcp.change()
    mcp.change()
    await provided.refresh(signal)
    expect(provided.refresh(signal)).toBeUndefined()
    expect(mcp.log).toEqual(['add lena', 'load', 'load'])
    expect(current.names).toEqual(['look'])
  })

  it('a provider that was added meanwhile is loaded', async () => {
    const { provided, tools } = setUp()
    expect(provided.refresh(signal)).toBeUndefined()
    tools.add(testProvider('mcp', () => [look()]))
    await provided.refresh(signal)
    expect(tools.names).toEqual(['look'])
  })

  it('what failed when it was loaded again waits for the next invocation, or for the next change', async () => {
    const mcp = testProvider('mcp', (n) => {
      if (n === 2 || n === 4) throw new Error('gone')
      return n === 1 ? [look()] : [write()]
    })
    const { provided, tools, told } = setUp(mcp)
    await provided.refresh(signal)
    mcp.change()
    await provided.refresh(signal)
    expect([tools.names, told, provided.refresh(signal)]).toEqual([['look'], ['tool_provider_failed'], undefined])
    await provided.refresh(signal, { retry: true })
    expect(tools.names).toEqual(['write'])
    mcp.change()
    await provided.refresh(signal)
    mcp.change()
    await provided.refresh(signal)
    expect([mcp.signals.length, told]).toEqual([5, ['tool_provider_failed', 'tool_provider_failed']])
  })

  it('nothing is begun for who is cancelled already', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { provided } = setUp(mcp)
    expect(provided.refresh(AbortSignal.abort())).toBeUndefined()
    expect(mcp.log).toEqual([])
  })
})

describe('what nobody hears', () => {
  it('is kept for the next invocation, the newest twenty', async () => {
    const mcp = testProvider('mcp', () => [])
    const { provided, told, listen } = setUp(mcp)
    await provided.refresh(signal)
    listen(false)
    for (let n = 1; n <= 25; n++) for (const consumer of mcp.consumers) consumer.warn(`w${n}`, '')
    void provided.refresh(signal, { retry: true })
    listen(true)
    expect([provided.refresh(signal), told]).toEqual([undefined, []])
    void provided.refresh(signal, { retry: true })
    expect(told).toEqual(Array.from({ length: 20 }, (_, index) => `w${index + 6}`))
  })
})
