import { describe, expect, it } from 'vitest'
import type { GuardrailOptions } from '../../../src/providers/bedrock/index.ts'
import { answer } from '../support/answer.ts'
import { bodyOf, claude, fetchOf, modelOf } from './support/ask.ts'
import { begins, counts, frames, says, stops } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const own = { id: 'g-1', version: '2' } as const

describe('a guardrail', () => {
  it.each<readonly [GuardrailOptions, object]>([
    [own, {}],
    [
      { ...own, trace: 'enabled_full', mode: 'async' },
      { trace: 'enabled_full', streamProcessingMode: 'async' },
    ],
    [{ ...own, redactInput: '[removed]' }, { trace: 'enabled' }],
    [{ ...own, redactOutput: '[removed]', trace: 'disabled' }, { trace: 'disabled' }],
  ])('is asked for: %j', async (guardrail, more) =>
    expect((await bodyOf({}, claude, { guardrail }))['guardrailConfig']).toEqual({
      guardrailIdentifier: 'g-1',
      guardrailVersion: '2',
      ...more,
    }),
  )
})

describe('what a guardrail blocks', () => {
  const topic = (action: string, more: object = {}): object => ({ topicPolicy: { topics: [{ name: 't', type: 'DENY', action, ...more }] } })
  const input = (found: object): object => ({ inputAssessment: { 'g-1': found } })
  const output = (...found: readonly object[]): object => ({ outputAssessments: { 'g-1': found } })
  const redacted = { redactInput: '[your words]', redactOutput: '[my words]' }

  const rows: readonly (readonly [
    name: string,
    trace: object,
    options: Partial<GuardrailOptions>,
    text: string,
    targets: readonly string[],
  ])[] = [
    ['input, replaced', input(topic('BLOCKED')), redacted, 'Sorry, no.', ['input']],
    ['output, replaced', output(topic('NONE'), topic('BLOCKED')), redacted, '[my words]', ['output']],
    ['both', { ...input(topic('BLOCKED')), ...output(topic('BLOCKED', { detected: true })) }, redacted, '[my words]', ['input', 'output']],
    ['what nobody wants replaced', { ...input(topic('BLOCKED')), ...output(topic('BLOCKED')) }, {}, 'Sorry, no.', []],
    [
      'nothing, but masks',
      input({ sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', action: 'ANONYMIZED' }] } }),
      redacted,
      'Sorry, no.',
      [],
    ],
    ['nothing, but would', input(topic('BLOCKED', { detected: false })), redacted, 'Sorry, no.', []],
    [
      'words',
      input({ wordPolicy: { customWords: [{ match: 'w', action: 'BLOCKED' }], managedWordLists: [] } }),
      redacted,
      'Sorry, no.',
      ['input'],
    ],
  ]
  it.each(rows)('%s', async (_name, guardrail, options, text, targets) => {
    const body = frames(
      begins,
      ...says(0, 'Sorry, no.'),
      stops('guardrail_intervened'),
      counts(undefined, { trace: { guardrail: { ...guardrail } } }),
    )
    const { message, error } = await answer(modelOf(fetchOf(body), claude, { guardrail: { ...own, ...options } }))
    if (!message) throw error
    expect([message.stopReason, message.content, message.redactions.map(({ target }) => target)]).toEqual([
      'guardrail_intervened',
      [{ type: 'text', text }],
      targets,
    ])
  })
})
