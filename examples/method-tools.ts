// Methods of a class as tools: they share what the instance holds. A standard decorator, no compiler option needed.
import assert from 'node:assert/strict'
import { Agent, tool, toolsOf } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { z } from 'zod'

class Notes {
  readonly #notes = new Map<string, string>()

  @tool.method({ description: 'Keep a note.', inputSchema: z.object({ title: z.string(), text: z.string() }) })
  write({ title, text }: { title: string; text: string }): string {
    this.#notes.set(title, text)
    return `${this.#notes.size} kept`
  }

  @tool.method({ description: 'Read a note.', inputSchema: z.object({ title: z.string() }), isReadOnly: true, isConcurrencySafe: true })
  read({ title }: { title: string }): string {
    return this.#notes.get(title) ?? `There is no note "${title}".`
  }
}

const notes = new Notes()
const model = scriptedModel(
  { calls: [{ name: 'write', input: { title: 'milk', text: 'two bottles' } }] },
  { calls: [{ name: 'read', input: { title: 'milk' } }] },
  { text: 'Two bottles of milk.' },
)
const agent = new Agent({ model, tools: [toolsOf(notes)] })
const result = await agent.invoke('Note down two bottles of milk, and read it back.')
console.log(result.stopReason, String(result))
assert.equal(result.stopReason, 'end_turn')

// A method stays a method.
assert.equal(notes.read({ title: 'milk' }), 'two bottles')
