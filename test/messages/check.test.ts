import { describe, expect, it } from 'vitest'
import { check, isEmpty } from '../../src/messages/check.ts'
import type { MessageInput } from '../../src/messages/message.ts'
import { assistant, call, result, user, withIds } from '../support/history.ts'

const breaches = (messages: readonly MessageInput[], openCalls?: 'allow'): readonly string[] =>
  check(withIds(messages), openCalls && { openCalls }).map(({ rule, index }) => `${rule} at ${index}`)

describe('check finds nothing wrong with', () => {
  it.each<[string, readonly MessageInput[]]>([
    ['no history at all', []],
    ['a prompt', [user('hi')]],
    ['a prompt and its answer', [user('hi'), assistant('hello')]],
    [
      'calls and their results in call order, the prompt behind them',
      [user('go'), assistant('on it', call('a'), call('b')), user(result('a'), result('b'), 'and now?'), assistant('done')],
    ],
    ['thinking alone', [user('hi'), assistant({ type: 'reasoning', text: '' })]],
    ['a result without content', [user('go'), assistant(call('a')), user({ ...result('a'), content: [] })]],
  ])('%s', (_what, messages) => expect(check(withIds(messages))).toEqual([]))
})

describe('check names', () => {
  it.each<[string, readonly MessageInput[], readonly string[]]>([
    ['an assistant message at the start', [assistant('hello')], ['starts_with_user at 0']],
    ['two users side by side', [user('a'), user('b')], ['roles_alternate at 1']],
    ['two assistants side by side', [user('a'), assistant('b'), assistant('c')], ['roles_alternate at 2']],
    ['a message without content', [user()], ['not_empty at 0']],
    ['a message of blank text', [user('a'), assistant(' ', '\n')], ['not_empty at 1']],
    ['a message with nothing but a cache point', [user({ type: 'cache_point' }, '')], ['not_empty at 0']],
    ['a call at the end without a result', [user('a'), assistant(call('x'))], ['call_answered_once at 1']],
    [
      'a call without a result in the next message',
      [user('a'), assistant(call('x'), call('y')), user(result('y'))],
      ['call_answered_once at 2'],
    ],
    [
      'a call that is answered a message too late',
      [user('a'), assistant(call('x')), user('b'), assistant('c'), user(result('x'))],
      ['call_answered_once at 2', 'no_orphan at 4'],
    ],
    [
      'a call that is followed by another assistant message',
      [user('a'), assistant(call('x')), assistant('b')],
      ['roles_alternate at 2', 'call_answered_once at 2'],
    ],
    ['a call that is answered twice', [user('a'), assistant(call('x')), user(result('x'), result('x'))], ['call_answered_once at 2']],
    ['results in another order', [user('a'), assistant(call('x'), call('y')), user(result('y'), result('x'))], ['results_in_order at 2']],
    ['text before a result', [user('a'), assistant(call('x')), user('b', result('x'))], ['results_in_order at 2']],
    ['text between results', [user('a'), assistant(call('x'), call('y')), user(result('x'), 'b', result('y'))], ['results_in_order at 2']],
    ['a result without a call', [user('a', result('x'))], ['results_in_order at 0', 'no_orphan at 0']],
    ['a result before its call', [user(result('x')), assistant(call('x')), user(result('x'))], ['no_orphan at 0']],
    [
      'one id for two calls of a message',
      [user('a'), assistant(call('x'), call('x')), user(result('x'), result('x'))],
      ['call_id_unique at 1', 'call_answered_once at 2'],
    ],
    [
      'one id for calls of two turns',
      [user('a'), assistant(call('x')), user(result('x')), assistant(call('x')), user(result('x'))],
      ['call_id_unique at 3'],
    ],
  ])('%s', (_what, messages, rules) => expect(breaches(messages)).toEqual(rules))

  it('the message and what is wrong with it', () => {
    expect(check(withIds([user('a'), assistant(call('x'), call('y'))]))).toEqual([
      { rule: 'call_answered_once', index: 1, message: 'messages[1] leaves calls without a result: x, y.' },
    ])
    expect(check(withIds([user('a'), assistant(call('x')), user('b')]))).toEqual([
      { rule: 'call_answered_once', index: 2, message: 'messages[2] has no result for "x".' },
    ])
  })
})

describe('check with openCalls allowed', () => {
  it('takes open calls in the last message, and nowhere else', () => {
    expect(breaches([user('a'), assistant(call('x'))], 'allow')).toEqual([])
    expect(breaches([user('a'), assistant(call('x')), user('b')], 'allow')).toEqual(['call_answered_once at 2'])
  })
})

describe('isEmpty', () => {
  it.each<[boolean, MessageInput]>([
    [true, user()],
    [true, user('', ' \n')],
    [true, user('', { type: 'cache_point' })],
    [false, user('', 'a')],
    [false, user(result('x'))],
    [false, assistant(call('x'))],
    [false, assistant({ type: 'reasoning', text: '' })],
  ])('%s for %j', (empty, message) => expect(isEmpty(withIds([message])[0]!.content)).toBe(empty))
})
