import { describe, expect, it } from 'vitest'
import { codeOfStop } from '../../src/cli/exit-code.ts'
import type { StopReason } from '../../src/index.ts'
import { AuthenticationError, ModelNotFoundError } from '../../src/index.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { lena } from './support/world.ts'

describe('codeOfStop', () => {
  it.each<[StopReason, number]>([
    ['end_turn', 0],
    ['stop_sequence', 0],
    ['content_filtered', 1],
    ['guardrail_intervened', 1],
    ['refusal', 1],
    ['context_window_exceeded', 1],
    ['limit_turns', 3],
    ['limit_total_tokens', 3],
    ['limit_output_tokens', 3],
    ['limit_cost', 3],
    ['limit_time', 3],
    ['cancelled', 130],
    ['interrupt', 1],
    ['checkpoint', 1],
  ])('%s → %i', (reason, code) => expect(codeOfStop(reason)).toBe(code))
})

describe('the exit code, and what is said on stderr', () => {
  it.each<[string, Parameters<typeof scriptedModel>[0], readonly string[], number, string]>([
    ['done', { text: 'x' }, [], 0, ''],
    ['refused by the model', { text: 'x', stopReason: 'refusal' }, [], 1, 'The model refused to answer.\n'],
    ['stopped by a filter', { text: 'x', stopReason: 'content_filtered' }, [], 1, 'A filter of the provider stopped the answer.\n'],
    [
      'too long',
      { text: 'x', stopReason: 'context_window_exceeded' },
      [],
      1,
      'The conversation has become too long for the model. Start a new one.\n',
    ],
    ['too long, quietly', { text: 'x', stopReason: 'context_window_exceeded' }, ['-q'], 1, ''],
    [
      'a key is missing',
      { error: new AuthenticationError('No key.\n  Set OPENAI_API_KEY.', { variable: 'OPENAI_API_KEY' }) },
      [],
      1,
      'lena: No key. Set OPENAI_API_KEY.\n',
    ],
    ['no such model', { error: new ModelNotFoundError('There is no model "x".') }, [], 2, 'lena: There is no model "x".\n'],
    ['errors are not quiet', { error: new Error('broken\u001b[2J') }, ['-q'], 1, 'lena: The model failed: broken\\x1b[2J\n'],
  ])('%s', async (_, step, argv, code, stderr) => {
    const ran = await lena([...argv, 'task'], { model: scriptedModel(step) })
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr })
  })

  it('a model that nobody has', async () => {
    expect(await lena(['--model', 'opneai/x', 'task'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^lena: There is no model "opneai\/x"\. Did you mean "openai"\? Use "offline", .+\n$/) as string,
    })
  })

  it('shows where an error comes from with LENA_DEBUG=1', async () => {
    const { stderr } = await lena(['task'], {
      model: scriptedModel({ error: new Error('broken') }),
      env: { NO_COLOR: '1', LENA_MODEL: 'scripted/x', LENA_DEBUG: '1' },
    })
    expect(stderr).toMatch(/^lena: ModelError: The model failed: broken\n {4}at .*\nCaused by: Error: broken\n {4}at /s)
  })
})
