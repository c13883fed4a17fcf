import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import type { MessageInput } from '../../src/messages/message.ts'
import { closingResult, repair, unknownOutcome } from '../../src/messages/repair.ts'
import { assistant, bare, call, result, user } from '../support/history.ts'
import { countingIds } from '../support/ids.ts'

const opening = user('[The beginning of this conversation is missing.]')
const unknown = (id: string) => unknownOutcome(call(id))
const image = { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://example.com/a.png' } } as const

type Case = { readonly broken: readonly MessageInput[]; readonly legal: readonly MessageInput[]; readonly notes: readonly string[] }

const cases: Record<string, Case> = {
  'a call without a result at the end': {
    broken: [user('go'), assistant('on it', call('a'))],
    legal: [user('go'), assistant('on it', call('a')), user(unknown('a'))],
    notes: ['the call "a" of add had no result'],
  },
  'a prompt after an open call: the result comes first, both in one message': {
    broken: [user('go'), assistant(call('a')), user('stop')],
    legal: [user('go'), assistant(call('a')), user(unknown('a'), 'stop')],
    notes: ['the call "a" of add had no result'],
  },
  'one of two calls without a result': {
    broken: [user('go'), assistant(call('a'), call('b')), user(result('b')), assistant('done')],
    legal: [user('go'), assistant(call('a'), call('b')), user(unknown('a'), result('b')), assistant('done')],
    notes: ['the call "a" of add had no result'],
  },
  'a result without a call, beside text': {
    broken: [user('go', result('x'))],
    legal: [user('go')],
    notes: ['messages[0] had 1 tool result(s) without a call before them; left out'],
  },
  'a message of results without calls: its neighbours are joined': {
    broken: [user('go'), assistant('one'), user(result('x')), assistant('two')],
    legal: [user('go'), assistant('one', 'two')],
    notes: ['messages[2] had 1 tool result(s) without a call before them; left out'],
  },
  'a result first': {
    broken: [user(result('a')), assistant('well'), user('go')],
    legal: [opening, assistant('well'), user('go')],
    notes: [
      'messages[0] had 1 tool result(s) without a call before them; left out',
      'a user message was put before the first assistant message',
    ],
  },
  'a result before its call': {
    broken: [user('go', result('a')), assistant(call('a'))],
    legal: [user('go'), assistant(call('a')), user(unknown('a'))],
    notes: ['messages[0] had 1 tool result(s) without a call before them; left out', 'the call "a" of add had no result'],
  },
  'one id twice in a message': {
    broken: [user('go'), assistant(call('a'), call('a', 'sub')), user(result('a', 'first'), result('a', 'second'))],
    legal: [user('go'), assistant(call('a'), call('a_2', 'sub')), user(result('a', 'first'), result('a_2', 'second'))],
    notes: ['the call id "a" was used twice; the later call is now "a_2"'],
  },
  'one id twice in a message, answered once': {
    broken: [user('go'), assistant(call('a'), call('a')), user(result('a'))],
    legal: [user('go'), assistant(call('a'), call('a_2')), user(result('a'), unknown('a_2'))],
    notes: ['the call id "a" was used twice; the later call is now "a_2"', 'the call "a_2" of add had no result'],
  },
  'one id over three turns, one of the new ids taken': {
    broken: [
      user('go'),
      assistant(call('a')),
      user(result('a', '1')),
      assistant(call('a_2')),
      user(result('a_2', '2')),
      assistant(call('a')),
      user(result('a', '3')),
      assistant(call('a')),
      user(result('a', '4')),
    ],
    legal: [
      user('go'),
      assistant(call('a')),
      user(result('a', '1')),
      assistant(call('a_2')),
      user(result('a_2', '2')),
      assistant(call('a_3')),
      user(result('a_3', '3')),
      assistant(call('a_4')),
      user(result('a_4', '4')),
    ],
    notes: ['the call id "a" was used twice; the later call is now "a_3"', 'the call id "a" was used twice; the later call is now "a_4"'],
  },
  'one id again, its result a message late': {
    broken: [user('go'), assistant(call('a')), user(result('a', '1')), assistant(call('a')), assistant('hm'), user(result('a', '2'))],
    legal: [user('go'), assistant(call('a')), user(result('a', '1')), assistant(call('a_2'), 'hm'), user(result('a_2', '2'))],
    notes: ['the call id "a" was used twice; the later call is now "a_2"'],
  },
  'one id again, its result two messages late': {
    broken: [
      user('go'),
      assistant(call('a')),
      user(result('a', '1')),
      assistant(call('a')),
      user('well?'),
      assistant('hm'),
      user(result('a', '2'), 'so'),
    ],
    legal: [
      user('go'),
      assistant(call('a')),
      user(result('a', '1')),
      assistant(call('a_2')),
      user(result('a_2', '2'), 'well?'),
      assistant('hm'),
      user('so'),
    ],
    notes: ['the call id "a" was used twice; the later call is now "a_2"', 'the result of the call "a_2" was moved behind it'],
  },
  'one id in two assistant messages side by side': {
    broken: [user('go'), assistant(call('a')), assistant(call('a')), user(result('a', '1'), result('a', '2'))],
    legal: [user('go'), assistant(call('a'), call('a_2')), user(result('a', '1'), result('a_2', '2'))],
    notes: ['the call id "a" was used twice; the later call is now "a_2"'],
  },
  'a call that is answered twice: the first answer counts': {
    broken: [user('go'), assistant(call('a')), user(result('a', '1'), result('a', '2'))],
    legal: [user('go'), assistant(call('a')), user(result('a', '1'))],
    notes: ['messages[2] had 1 tool result(s) without a call before them; left out'],
  },
  'results in another order': {
    broken: [user('go'), assistant(call('a'), call('b')), user(result('b'), result('a'))],
    legal: [user('go'), assistant(call('a'), call('b')), user(result('a'), result('b'))],
    notes: [],
  },
  'text before and between the results': {
    broken: [user('go'), assistant(call('a'), call('b')), user('x', result('a'), image, result('b'))],
    legal: [user('go'), assistant(call('a'), call('b')), user(result('a'), result('b'), 'x', image)],
    notes: [],
  },
  'results in two messages': {
    broken: [user('go'), assistant(call('a'), call('b')), user(result('a')), user(result('b')), assistant('done')],
    legal: [user('go'), assistant(call('a'), call('b')), user(result('a'), result('b')), assistant('done')],
    notes: [],
  },
  'a result in a later message': {
    broken: [user('go'), assistant(call('a')), user('well?'), assistant('wait'), user(result('a'))],
    legal: [user('go'), assistant(call('a')), user(result('a'), 'well?'), assistant('wait')],
    notes: ['the result of the call "a" was moved behind it'],
  },
  'one role three times': {
    broken: [user('a'), user('b'), user('c'), assistant('d'), assistant('e')],
    legal: [user('a', 'b', 'c'), assistant('d', 'e')],
    notes: [],
  },
  'empty messages and blank text': {
    broken: [user(), user('go'), assistant(' ', ''), assistant('done'), user('\n'), assistant()],
    legal: [user('go'), assistant('done')],
    notes: [
      'messages[0] was empty and is left out',
      'messages[2] was empty and is left out',
      'messages[4] was empty and is left out',
      'messages[5] was empty and is left out',
    ],
  },
  'an assistant first': {
    broken: [assistant('hello'), user('hi')],
    legal: [opening, assistant('hello'), user('hi')],
    notes: ['a user message was put before the first assistant message'],
  },
  'an open call first': {
    broken: [assistant(call('a'))],
    legal: [opening, assistant(call('a')), user(unknown('a'))],
    notes: ['the call "a" of add had no result', 'a user message was put before the first assistant message'],
  },
  'nothing but blank text': { broken: [user(' ')], legal: [], notes: ['messages[0] was empty and is left out'] },
  'nothing at all': { broken: [], legal: [], notes: [] },
}

describe('repair makes legal', () => {
  it.each(Object.entries(cases))('%s', (_what, { broken, legal, notes }) => {
    const told: string[] = []
    const repaired = repair(broken, { onRepair: (what) => void told.push(what) })
    expect(bare(repaired)).toEqual(legal)
    expect(check(repaired)).toEqual([])
    expect(told).toEqual(notes)
  })

  it('a string as content', () => {
    expect(bare(repair([{ role: 'user', content: 'hi' }]))).toEqual([user('hi')])
  })
})

describe('repair keeps', () => {
  it('the id and the metadata of a message that it changes', () => {
    const broken: MessageInput[] = [
      { ...user('go'), id: 'm1' },
      { ...assistant(call('a'), call('b')), id: 'm2', metadata: { model: 'x/y' } },
      { ...user(result('b'), result('a')), id: 'm3' },
      { ...user('more'), id: 'm4' },
    ]
    expect(repair(broken).map(({ id, metadata }) => ({ id, metadata }))).toEqual([
      { id: 'm1', metadata: undefined },
      { id: 'm2', metadata: { model: 'x/y' } },
      { id: 'm3', metadata: undefined },
    ])
  })

  it('everything else of a call and a result', () => {
    const used = { ...call('a'), input: { x: 1 }, provider: { p: { id: 'toolu_1' } } }
    const given = { ...result('a'), status: 'error', code: 'timeout', structuredContent: { n: 1 } } as const
    const broken = [user('go'), assistant(used, used), user(given, given)]
    expect(bare(repair(broken))).toEqual([user('go'), assistant(used, { ...used, id: 'a_2' }), user(given, { ...given, toolUseId: 'a_2' })])
  })

  it('calls of the last message open when it is told to, and only those', () => {
    const history = [user('go'), assistant(call('a')), user('stop'), assistant(call('b'))]
    expect(bare(repair(history, { openCalls: 'keep' }))).toEqual([
      user('go'),
      assistant(call('a')),
      user(unknown('a'), 'stop'),
      assistant(call('b')),
    ])
  })

  it('an assistant message first when the messages are the tail of a history', () => {
    expect(bare(repair([assistant('hello')], { tail: true }))).toEqual([assistant('hello')])
  })

  it('the given messages as they were', () => {
    const given = [user(' '), assistant(call('a'), call('a'))]
    const before = structuredClone(given)
    repair(given)
    expect(given).toEqual(before)
  })
})

describe('repair marks what it made itself', () => {
  it('with an id and as synthetic', () => {
    expect(repair([{ ...assistant(call('a')), id: 'given' }], { ids: countingIds() })).toEqual([
      { id: 'message_2', ...opening, metadata: { synthetic: 'repair' } },
      { id: 'given', ...assistant(call('a')) },
      { id: 'message_1', ...user(unknown('a')), metadata: { synthetic: 'repair' } },
    ])
  })

  it('with a result that warns of repeating the call', () => {
    expect(unknownOutcome({ id: 'a', name: 'charge' })).toEqual({
      type: 'tool_result',
      toolUseId: 'a',
      status: 'error',
      code: 'unknown_outcome',
      content: [
        { type: 'text', text: 'No result of this call of charge was recorded. It may or may not have run; check before you repeat it.' },
      ],
    })
    expect(closingResult('a', 'cancelled', 'No.')).toEqual({
      type: 'tool_result',
      toolUseId: 'a',
      status: 'error',
      code: 'cancelled',
      content: [{ type: 'text', text: 'No.' }],
    })
  })
})

describe('repair refuses', () => {
  it('what is no history', () => {
    expect(() => repair({} as never)).toThrow(new InputError('The history must be an array of messages, got an object.'))
    expect(() => repair([user('a'), null as never])).toThrow(new InputError('messages[1]: expected a message { role, content }, got null.'))
    expect(() => repair([{ role: 'system', content: 'x' } as never])).toThrow(InputError)
  })
})
