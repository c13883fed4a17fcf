import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AsToolOptions } from '../../../src/agent/as-tool.ts'
import { InputError } from '../../../src/errors.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { sketch } from '../../support/sketch.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const helper = (): Agent => new Agent({ name: 'helper', model: scriptedModel({ text: 'never' }), retry: false })

describe('asTool()', () => {
  it.each<[unknown, string]>([
    [null, 'The options of asTool() must be an object such as { name: "research" }, got null.'],
    ['research', 'The options of asTool() must be an object such as { name: "research" }, got "research".'],
    [{ nme: 'x' }, 'There is no option of asTool() "nme". Did you mean "name"?'],
    [{ prompt: 'Do it.' }, '`prompt` must be a function of the input that gives a text, got "Do it.".'],
    [{ instructions: 7 }, '`instructions` of asTool() must be a string, got 7.'],
    [{ tools: {} }, '`tools` of asTool() must be an array of tools, got an object.'],
  ])('refuses %j at the call', (options, message) => {
    const call = (): unknown => helper().asTool(options as AsToolOptions)
    expect(call).toThrow(InputError)
    expect(call).toThrow(message)
  })

  it.each([
    [undefined, 'undefined'],
    [5, '5'],
  ])('whose `prompt` gives %s: the call has failed, and says why', async (prompt, got) => {
    const tool = helper().asTool({ prompt: () => prompt as unknown as string })
    const boss = new Agent({
      model: scriptedModel({ calls: [{ name: 'helper', input: { input: 'x' } }] }, { text: 'Done.' }),
      tools: [tool],
      ids: countingIds(),
    })
    await boss.invoke('go')
    expect(sketch(boss.messages)[2]).toBe(
      `user: call_1 error "InputError: The \`prompt\` of the tool helper must give a text, got ${got}."`,
    )
  })
})
