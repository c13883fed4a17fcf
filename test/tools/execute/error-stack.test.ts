import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../../../src/errors.ts'
import { execute } from '../../../src/tools/execute.ts'
import { jsonSchema } from '../../../src/tools/schema.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { ToolContext } from '../../../src/tools/tool.ts'
import { testClock } from '../../support/clock.ts'

const definition = { name: 'work', description: 'd', inputSchema: jsonSchema({ type: 'object' }) }

async function said(error: unknown, errorStack?: boolean): Promise<unknown> {
  const failing = tool({
    ...definition,
    errorStack,
    execute: () => {
      throw error
    },
  })
  const signal = new AbortController().signal
  const { content } = await execute(failing, {}, () => ({ signal }) as ToolContext, {
    signal,
    clock: testClock(),
    settleMs: 0,
    onLate: () => {},
  })
  return content[0]?.type === 'text' && content[0].text
}

describe('what the model reads of an error that a tool threw', () => {
  const error = new TypeError('no\nsuch city')

  it('is its name and message alone', async () => {
    expect([await said(error), await said(error, false)]).toEqual(['TypeError: no\nsuch city', 'TypeError: no\nsuch city'])
  })

  it('has the stack too where the tool asks for it', async () => {
    expect(await said(error, true)).toMatch(/^TypeError: no\nsuch city\n {4}at .*error-stack\.test\.ts/)
  })

  it('is the same where there is no stack', async () => {
    expect([await said('text', true), await said(Object.assign(new Error('bare'), { stack: undefined }), true)]).toEqual([
      'Error: text',
      'Error: bare',
    ])
  })

  it('is asked for by a boolean', () => {
    expect(() => tool({ ...definition, errorStack: 'yes' as never, execute: () => 1 })).toThrow(
      new ToolDefinitionError('The tool "work": errorStack must be a boolean, got string.'),
    )
  })
})
