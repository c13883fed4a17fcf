import { NetworkError } from '../../src/errors.ts'
import type { ModelEvent } from '../../src/models/model-events.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { tryScenarios } from '../support/scenarios.ts'
import type { Scenario } from '../support/scenarios.ts'

const one = { name: 'look', input: { at: 1 } }
const two = { name: 'look', input: { at: 2 } }
const done = { text: 'All done.' }
const without = (answer: Parameters<typeof eventsOf>[0], type: ModelEvent['type']): readonly ModelEvent[] =>
  eventsOf(answer).filter((event) => event.type !== type)

tryScenarios([
  {
    name: 'an answer',
    steps: [{ text: 'Hello there.' }],
    ends: 'end_turn',
    text: 'Hello there.',
    history: ['user: "go"', 'assistant: "Hello there."'],
  },
  {
    name: 'a tool, then an answer',
    steps: [{ text: 'Let me see.', calls: [one] }, done],
    ends: 'end_turn',
    text: 'All done.',
    history: ['user: "go"', 'assistant: "Let me see." look#call_1 {"at":1}', 'user: call_1 success "seen 1"', 'assistant: "All done."'],
  },
  {
    name: 'a tool that throws',
    steps: [{ calls: [{ name: 'breaks', input: { at: 1 } }] }, done],
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: breaks#call_1 {"at":1}', 'user: call_1 error "RangeError: out of reach"', 'assistant: "All done."'],
  },
  {
    name: 'two tools, of which one throws: the other result is kept',
    steps: [{ calls: [{ name: 'breaks', input: { at: 1 } }, one] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: breaks#call_1 {"at":1} look#call_2 {"at":1}',
      'user: call_1 error "RangeError: out of reach" call_2 success "seen 1"',
      'assistant: "All done."',
    ],
  },
  {
    name: 'an unknown tool beside a known one',
    steps: [{ calls: [{ name: 'lok', input: {} }, one] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: lok#call_1 {} look#call_2 {"at":1}',
      'user: call_1 error/not_found "There is no tool \\"lok\\". Did you mean look?" call_2 success "seen 1"',
      'assistant: "All done."',
    ],
  },
  {
    name: 'arguments that do not fit the schema',
    steps: [{ calls: [{ name: 'look', input: { at: 'here' } }] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: look#call_1 {"at":"here"}',
      'user: call_1 error/invalid_input "The input of look is not valid. Nothing was run.\\n- at: expected number; got \\"here\\""',
      'assistant: "All done."',
    ],
  },
  {
    name: 'arguments that are no JSON',
    steps: [{ calls: [{ name: 'look', input: '{"at": ' }] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: look#call_1 {}',
      'user: call_1 error/invalid_input "The input of look is not a JSON object, so nothing was run: Unexpected end of JSON input\\nIt began: {\\"at\\": "',
      'assistant: "All done."',
    ],
  },
  {
    name: 'arguments that are no object',
    steps: [{ calls: [{ name: 'look', input: '[1]' }] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: look#call_1 {}',
      'user: call_1 error/invalid_input "The input of look is not a JSON object, so nothing was run: expected a JSON object, got an array\\nIt began: [1]"',
      'assistant: "All done."',
    ],
  },
  {
    name: 'two calls to which the provider gave one id',
    steps: [
      {
        calls: [
          { ...one, id: 'x' },
          { ...two, id: 'x' },
        ],
      },
      done,
    ],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: look#call_1 {"at":1} look#call_2 {"at":2}',
      'user: call_1 success "seen 1" call_2 success "seen 2"',
      'assistant: "All done."',
    ],
  },
  {
    name: 'an id of the provider that comes again in a later turn',
    steps: [{ calls: [{ ...one, id: 'x' }] }, { calls: [{ ...two, id: 'x' }] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: look#call_1 {"at":1}',
      'user: call_1 success "seen 1"',
      'assistant: look#call_2 {"at":2}',
      'user: call_2 success "seen 2"',
      'assistant: "All done."',
    ],
  },
  { name: 'an empty reply', steps: [{}], ends: 'end_turn', text: '', history: ['user: "go"', 'assistant: "[no content]"'] },
  { name: 'a blank reply', steps: [{ text: ' \n ' }], ends: 'end_turn', text: '', history: ['user: "go"', 'assistant: "[no content]"'] },
  {
    name: 'thinking alone',
    steps: [{ reasoning: 'Hm.' }],
    ends: 'end_turn',
    text: '',
    history: ['user: "go"', 'assistant: thinks "Hm."'],
  },
  {
    name: 'a stream that ends without its stop',
    steps: [without({ text: 'half of it' }, 'message_stop')],
    ends: 'incomplete_stream',
    history: ['user: "go"'],
  },
  { name: 'a stream with nothing in it', steps: [[]], ends: 'incomplete_stream', history: ['user: "go"'] },
  {
    name: 'a stream without starts and stops of its parts',
    steps: [eventsOf({ text: 'kept' }).filter(({ type }) => !['message_start', 'block_start', 'block_stop'].includes(type))],
    ends: 'end_turn',
    text: 'kept',
    history: ['user: "go"', 'assistant: "kept"'],
  },
  {
    name: 'a text that was cut',
    steps: [{ text: 'A long sto', stopReason: 'max_tokens' }],
    ends: 'max_tokens',
    history: ['user: "go"', 'assistant: "A long sto"'],
  },
  {
    name: 'nothing at all before the cut',
    steps: [{ stopReason: 'max_tokens' }],
    ends: 'max_tokens',
    history: ['user: "go"', 'assistant: "[no content]"'],
  },
  {
    name: 'a call that was cut, behind a text and a whole call',
    steps: [{ text: 'So.', calls: [one, { name: 'look', input: '{"at": 1' }], stopReason: 'max_tokens' }],
    ends: 'max_tokens',
    history: [
      'user: "go"',
      'assistant: "So." "[A call of the tool look began here. Its input was cut by the token limit, so it was not run.]" "[A call of the tool look began here. Its input was cut by the token limit, so it was not run.]"',
    ],
  },
  { name: 'a provider that fails at once', steps: [{ error: new NetworkError('no route') }], ends: 'network', history: ['user: "go"'] },
  {
    name: 'a provider that fails in mid-stream',
    steps: [{ text: 'One two three', error: new NetworkError('reset'), after: 3 }],
    ends: 'network',
    history: ['user: "go"'],
  },
  {
    name: 'a provider that throws what is no error of ours',
    steps: [{ error: new TypeError('boom') }],
    ends: 'model_error',
    history: ['user: "go"'],
  },
  {
    name: 'a provider that fails in the second turn: the results of the first are kept',
    steps: [{ calls: [one] }, { error: new NetworkError('reset') }],
    ends: 'network',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"'],
  },
  {
    name: 'a stream that breaks behind its stop has lost nothing',
    steps: [{ text: 'Whole.', error: new NetworkError('reset'), after: 5 }],
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: "Whole."'],
  },
  ...(['refusal', 'content_filtered', 'guardrail_intervened', 'stop_sequence', 'context_window_exceeded'] as const).flatMap(
    (stopReason): Scenario[] => [
      {
        name: `${stopReason} with a text`,
        steps: [{ text: 'So far.', stopReason }],
        ends: stopReason,
        text: 'So far.',
        history: ['user: "go"', 'assistant: "So far."'],
      },
      {
        name: `${stopReason} with nothing`,
        steps: [{ stopReason }],
        ends: stopReason,
        text: '',
        history: ['user: "go"', 'assistant: "[no content]"'],
      },
      {
        name: `${stopReason} with a call, which does not run`,
        steps: [{ text: 'So far.', calls: [one], stopReason }],
        ends: stopReason,
        history: [
          'user: "go"',
          stopReason === 'context_window_exceeded'
            ? 'assistant: "So far." "[A call of the tool look began here. Its input was cut by the token limit, so it was not run.]"'
            : `assistant: "So far." "[A call of the tool look stood here. It was not run, because the message ended with ${stopReason}.]"`,
        ],
      },
    ],
  ),
  {
    name: 'end_turn with a call: it runs',
    steps: [{ calls: [one], stopReason: 'end_turn' }, done],
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"', 'assistant: "All done."'],
  },
  {
    name: 'tool_use without a call: it ends',
    steps: [{ text: 'Well.', stopReason: 'tool_use' }],
    ends: 'end_turn',
    text: 'Well.',
    history: ['user: "go"', 'assistant: "Well."'],
  },
  {
    name: 'pause_turn: the model goes on in the same message',
    steps: [{ text: 'One, ', stopReason: 'pause_turn' }, { text: 'two.' }],
    ends: 'end_turn',
    text: 'One, two.',
    history: ['user: "go"', 'assistant: "One, " "two."'],
  },
  {
    name: 'pause_turn: an empty rest changes nothing',
    steps: [{ text: 'One.', stopReason: 'pause_turn' }, {}],
    ends: 'end_turn',
    text: 'One.',
    history: ['user: "go"', 'assistant: "One."'],
  },
  {
    name: 'pause_turn, then a call: only what is new is run',
    steps: [{ text: 'One, ', stopReason: 'pause_turn' }, { calls: [one] }, done],
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: "One, " look#call_1 {"at":1}', 'user: call_1 success "seen 1"', 'assistant: "All done."'],
  },
  {
    name: 'pause_turn without an end',
    steps: Array.from({ length: 21 }, (): ScriptStep => ({ text: 'on ', stopReason: 'pause_turn' })),
    ends: 'pause_limit',
    history: ['user: "go"', `assistant: ${Array.from({ length: 21 }, () => '"on "').join(' ')}`],
  },
  {
    name: 'pause_turn: nothing said before the rest',
    steps: [{ stopReason: 'pause_turn' }, { text: 'Two.' }],
    ends: 'end_turn',
    text: 'Two.',
    history: ['user: "go"', 'assistant: "Two."'],
  },
  {
    name: 'pause_turn counts as a turn',
    steps: [
      { text: 'One, ', stopReason: 'pause_turn' },
      { text: 'two, ', stopReason: 'pause_turn' },
    ],
    invoke: { limits: { turns: 2 } },
    ends: 'limit_turns',
    history: ['user: "go"', 'assistant: "One, " "two, "'],
  },
  {
    name: 'pause_turn, and then the provider fails',
    steps: [{ text: 'One, ', stopReason: 'pause_turn' }, { error: new NetworkError('reset') }],
    ends: 'network',
    history: ['user: "go"', 'assistant: "One, "'],
  },
  {
    name: 'a guardrail that replaces what the model said',
    steps: [[...eventsOf({ text: 'a secret' }).slice(0, -1), { type: 'redaction', target: 'output', replacement: '[removed]' }]],
    ends: 'end_turn',
    text: '[removed]',
    history: ['user: "go"', 'assistant: "[removed]"'],
  },
  {
    name: 'a guardrail that replaces what the user said',
    steps: [
      [
        { type: 'redaction', target: 'input', replacement: '[withheld]' },
        ...eventsOf({ text: 'I cannot.', stopReason: 'guardrail_intervened' }),
      ],
    ],
    ends: 'guardrail_intervened',
    history: ['user: "[withheld]"', 'assistant: "I cannot."'],
  },
  {
    name: 'a guardrail that replaces a result: the pair stays',
    steps: [
      { calls: [one] },
      [
        { type: 'redaction', target: 'input', replacement: '[withheld]' },
        ...eventsOf({ text: 'I cannot.', stopReason: 'guardrail_intervened' }),
      ],
    ],
    ends: 'guardrail_intervened',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "[withheld]"', 'assistant: "I cannot."'],
  },
  {
    name: 'a tool that ends the run, with a text',
    steps: [{ calls: [{ name: 'stop', input: { at: 1 } }, one] }],
    ends: 'end_turn',
    text: 'Enough.',
    history: [
      'user: "go"',
      'assistant: stop#call_1 {"at":1} look#call_2 {"at":1}',
      'user: call_1 success "stopped" call_2 success "seen 1"',
      'assistant: "Enough."',
    ],
  },
  {
    name: 'a tool that ends the run, without a text',
    steps: [{ calls: [{ name: 'stop', input: { at: 0 } }] }],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: stop#call_1 {"at":0}',
      'user: call_1 success "stopped"',
      'assistant: "The turn was ended after the tools."',
    ],
  },
  {
    name: 'calls that run one after the other because nothing is said of them',
    steps: [{ calls: [{ name: 'write', input: { at: 1 } }, one, { name: 'write', input: { at: 2 } }] }, done],
    ends: 'end_turn',
    history: [
      'user: "go"',
      'assistant: write#call_1 {"at":1} look#call_2 {"at":1} write#call_3 {"at":2}',
      'user: call_1 success "written 1" call_2 success "seen 1" call_3 success "written 2"',
      'assistant: "All done."',
    ],
  },
])
