import { describe, expect, it } from 'vitest'
import { namedSource } from '../../src/tools/named-source.ts'
import type { ToolConsumer } from '../../src/tools/provider.ts'
import { testProvider } from '../support/provider.ts'
import { look } from '../support/tools.ts'

const consumer: ToolConsumer = { name: 'lena', toolsChanged: () => {}, warn: () => {} }
const options = { signal: new AbortController().signal, warn: () => {} }

describe('a source that is known by its name', () => {
  it('is opened when its tools are needed, once; who uses it before joins then', async () => {
    const tool = look()
    const inner = testProvider('inner', () => [tool])
    const opened: string[] = []
    const source = namedSource('./tools.ts', async (name) => (opened.push(name), inner))
    source.addConsumer(consumer)
    expect([source.name, opened, inner.log]).toEqual(['./tools.ts', [], []])
    expect(await source.loadTools(options)).toEqual([tool])
    await source.loadTools(options)
    expect([opened, inner.log]).toEqual([['./tools.ts'], ['add lena', 'load', 'load']])
    await source.removeConsumer(consumer)
    source.addConsumer(consumer)
    expect(inner.log.slice(3)).toEqual(['remove lena', 'add lena'])
  })

  it('is opened anew when it could not be', async () => {
    let tries = 0
    const inner = testProvider('inner', () => [])
    const source = namedSource('./tools.ts', async () => {
      if (++tries === 1) throw new Error('no such file')
      return inner
    })
    source.addConsumer(consumer)
    await expect(source.loadTools(options)).rejects.toThrow('no such file')
    expect(await source.loadTools(options)).toEqual([])
    expect(inner.log).toEqual(['add lena', 'load'])
  })

  it('that is left while it is opened is not joined, nor asked for tools', async () => {
    const inner = testProvider('inner', () => [])
    const source = namedSource('./tools.ts', async () => inner)
    const controller = new AbortController()
    source.addConsumer(consumer)
    const loading = source.loadTools({ ...options, signal: controller.signal })
    controller.abort(new Error('closed'))
    await source.removeConsumer(consumer)
    await expect(loading).rejects.toThrow('closed')
    expect(inner.log).toEqual([])
  })
})
