import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { OutputError, ToolDefinitionError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { outputSpec } from '../../src/output/output-spec.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import type { JsonSchema } from '../../src/util/json-schema.ts'
import type { JsonValue } from '../../src/util/json.ts'
import { noCorpora, readCorpus } from '../support/corpora.ts'
import type { SchemaEntry } from '../support/corpora.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

type Case = {
  readonly id: string
  readonly schema: JsonSchema
  readonly isWrapped: boolean
  readonly right: JsonValue | undefined
  readonly wrong: JsonValue | undefined
}

const entries = noCorpora ? [] : readCorpus<readonly SchemaEntry[]>('schemas', 'index.json')

/** Real schemas that can be the shape of an answer, with an answer that fits and one that does not. */
const cases: readonly Case[] = entries.flatMap(({ id, file }) => {
  const { schema, instances } = readCorpus<{
    readonly schema: JsonSchema
    readonly instances: readonly { readonly value: JsonValue; readonly valid: boolean }[]
  }>('schemas', file)
  try {
    const { isWrapped } = outputSpec(schema)
    const isObject = (value: JsonValue): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
    const fitting = (valid: boolean): JsonValue | undefined =>
      instances.find((instance) => instance.valid === valid && (isWrapped || isObject(instance.value)))?.value
    return [{ id, schema, isWrapped, right: fitting(true), wrong: fitting(false) }]
  } catch (error) {
    if (error instanceof ToolDefinitionError) return []
    throw error
  }
})

const wrapped = ({ isWrapped }: Case, value: JsonValue): JsonValue => (isWrapped ? { value } : value)
const call = (value: JsonValue): ScriptStep => ({ calls: [{ name: 'final_answer', input: value }] })

async function ask(steps: readonly ScriptStep[], schema: JsonSchema, native = false) {
  const model = Object.assign(scriptedModel(...steps), native ? { abilities: { output: 'native' } } : {})
  const agent = new Agent({ model, retry: false })
  const outcome = await agent.invoke('go', { output: schema }).then(
    ({ output }) => ({ output, error: undefined }),
    (error: unknown) => ({ output: undefined, error }),
  )
  expect(check(agent.messages)).toEqual([])
  return { ...outcome, calls: model.requests.length }
}

describe.skipIf(noCorpora)('every schema that can be an answer', () => {
  it('is all but what is no JSON Schema, and what leads out of itself', () => {
    const known = new Set(cases.map(({ id }) => id))
    const others = entries.map(({ id }) => id).filter((id) => !known.has(id) && !id.startsWith('bfcl-function--'))
    expect([cases.length, others]).toEqual([
      73,
      ['document--schemastore--eslintrc', 'openapi-tool--openapi-mcp-server--secret-scanning-update-alert'],
    ])
    expect(cases.filter(({ right }) => right !== undefined).length).toBeGreaterThan(55)
    expect(cases.filter(({ wrong }) => wrong !== undefined).length).toBeGreaterThan(55)
  })

  describe.each(cases)('$id', (one) => {
    const { schema, right, wrong } = one

    it.skipIf(right === undefined)('right at once: one call of the model, by a tool and as text', async () => {
      expect(await ask([call(wrapped(one, right!))], schema)).toEqual({ output: right, error: undefined, calls: 1 })
      expect(await ask([{ text: JSON.stringify(wrapped(one, right!)) }], schema, true)).toEqual({
        output: right,
        error: undefined,
        calls: 1,
      })
    })

    it.skipIf(right === undefined)('with prose first: two; in a code fence: one', async () => {
      expect(await ask([{ text: 'Let me think.' }, call(wrapped(one, right!))], schema)).toEqual({
        output: right,
        error: undefined,
        calls: 2,
      })
      const fenced = `Here it is:\n\`\`\`json\n${JSON.stringify(wrapped(one, right!), null, 2)}\n\`\`\`\nThat is all.`
      expect(await ask([{ text: fenced }], schema, true)).toEqual({ output: right, error: undefined, calls: 1 })
    })

    it.skipIf(right === undefined)('wrapped where it need not be, and bare where it should: one', async () => {
      if (one.isWrapped) {
        expect(await ask([{ text: JSON.stringify(right) }], schema, true)).toEqual({ output: right, error: undefined, calls: 1 })
        return
      }
      const { output, calls } = await ask([call({ value: right! })], schema)
      // An open schema takes the wrapping itself.
      expect([right, { value: right }]).toContainEqual(output)
      expect(calls).toBe(1)
    })

    it.skipIf(right === undefined || wrong === undefined)('wrong, then right, as text: two', async () => {
      const texts = [wrong!, right!].map((value) => ({ text: JSON.stringify(wrapped(one, value)) }))
      expect(await ask(texts, schema, true)).toEqual({ output: right, error: undefined, calls: 2 })
    })

    it.skipIf(right === undefined || wrong === undefined)('wrong, then right: two', async () => {
      expect(await ask([call(wrapped(one, wrong!)), call(wrapped(one, right!))], schema)).toEqual({
        output: right,
        error: undefined,
        calls: 2,
      })
    })

    it.skipIf(wrong === undefined)('always wrong: three, and the last answer is in the error', async () => {
      const given = wrapped(one, wrong!)
      const { error, calls } = await ask([call(given), call(given), call(given), call(given)], schema)
      expect(error).toBeInstanceOf(OutputError)
      expect([(error as OutputError).lastAnswer, calls]).toEqual([given, 3])
    })

    it('never: two', async () => {
      const { error, calls } = await ask([{ text: 'no' }, { text: 'still no' }, { text: 'no' }], schema)
      expect([(error as OutputError).code, calls]).toEqual(['no_output', 2])
    })
  })
})
