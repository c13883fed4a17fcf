import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../src/testing/index.ts'
import { lena } from './support/world.ts'

const looks = { text: 'Let me look.', calls: [{ name: 'list_dir', input: { path: 'src' } }] }

describe('-p', () => {
  it('prints only the answer, though it is a terminal', async () => {
    expect(
      await lena(['-p', 'look'], { stdin: 'terminal', model: scriptedModel(looks, { text: '\nIt is \u001b[1mthere\u001b[0m.' }) }),
    ).toEqual({ code: 0, stdout: 'It is there.\n', stderr: '' })
  })

  it('asks nobody', async () => {
    const model = scriptedModel({ calls: [{ name: 'shell', input: { command: 'touch x' } }] }, { text: 'No.' })
    expect(await lena(['-p', 'touch x'], { stdin: 'terminal', model })).toEqual({ code: 0, stdout: 'No.\n', stderr: '' })
  })

  it('prints nothing of a run that failed', async () => {
    expect(await lena(['-p', 'x'], { model: scriptedModel({ text: 'So far', error: new Error('broken'), after: 3 }) })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'lena: The model failed: broken\n',
    })
  })

  it('prints what there is when a limit stops the run', async () => {
    expect(await lena(['-p', '--max-turns', '1', 'x'], { model: scriptedModel(looks) })).toEqual({
      code: 3,
      stdout: 'Let me look.\n',
      stderr: 'Stopped at the limit of 1 turns. Give a larger --max-turns to let it go on longer.\n',
    })
  })

  it('prints an empty answer as nothing', async () => {
    expect(await lena(['-p', 'x'], { model: scriptedModel({ text: '' }) })).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
