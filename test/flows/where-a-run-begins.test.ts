import { tryScenarios } from '../support/scenarios.ts'

const done = { text: 'All done.' }

tryScenarios([
  {
    name: 'an open call in the history and no input: the tool runs, the model is not asked first',
    steps: [done],
    options: {
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_old', name: 'look', input: { at: 7 } }] },
      ],
    },
    input: undefined,
    ends: 'end_turn',
    history: ['user: "before"', 'assistant: look#call_old {"at":7}', 'user: call_old success "seen 7"', 'assistant: "All done."'],
  },
  {
    name: 'an open call in the history and a prompt: it is answered with an error first',
    steps: [done],
    options: {
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_old', name: 'look', input: { at: 7 } }] },
      ],
    },
    ends: 'end_turn',
    history: [
      'user: "before"',
      'assistant: look#call_old {"at":7}',
      'user: call_old error/unknown_outcome "No result of this call of look was recorded. It may or may not have run; check before you repeat it." "go"',
      'assistant: "All done."',
    ],
  },
  {
    name: 'an open call in the history, and its result as the input',
    steps: [done],
    options: {
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_old', name: 'look', input: { at: 7 } }] },
      ],
    },
    input: [{ type: 'tool_result', toolUseId: 'call_old', status: 'success', content: [{ type: 'text', text: 'by hand' }] }],
    ends: 'end_turn',
    history: ['user: "before"', 'assistant: look#call_old {"at":7}', 'user: call_old success "by hand"', 'assistant: "All done."'],
  },
  {
    name: 'a history that is not legal: it is repaired',
    steps: [done],
    options: {
      messages: [
        { role: 'assistant', content: 'Who is there?' },
        {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: 'gone', status: 'success', content: [{ type: 'text', text: 'orphan' }] }],
        },
        { role: 'user', content: 'me' },
        { role: 'user', content: ' ' },
      ],
    },
    ends: 'end_turn',
    history: [
      'user: "[The beginning of this conversation is missing.]"',
      'assistant: "Who is there?"',
      'user: "me" "go"',
      'assistant: "All done."',
    ],
  },
  {
    name: 'blocks as input',
    steps: [done],
    input: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    ends: 'end_turn',
    history: ['user: "a" "b"', 'assistant: "All done."'],
  },
  {
    name: 'messages as input',
    steps: [done],
    input: [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
    ],
    ends: 'end_turn',
    history: ['user: "first"', 'assistant: "second"', 'user: "third"', 'assistant: "All done."'],
  },
  {
    name: 'messages of one role as input: they are joined',
    steps: [done],
    input: [
      { role: 'user', content: 'first' },
      { role: 'user', content: 'second' },
    ],
    ends: 'end_turn',
    history: ['user: "first" "second"', 'assistant: "All done."'],
  },
  {
    name: 'messages with a call that is open as input: it runs',
    steps: [done],
    input: [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'mine', name: 'look', input: { at: 3 } }] },
    ],
    ends: 'end_turn',
    history: ['user: "first"', 'assistant: look#mine {"at":3}', 'user: mine success "seen 3"', 'assistant: "All done."'],
  },
  {
    name: 'a history that ends with the user, and no input: the model is asked',
    steps: [done],
    options: { messages: [{ role: 'user', content: 'before' }] },
    input: [],
    ends: 'end_turn',
    history: ['user: "before"', 'assistant: "All done."'],
  },
  {
    name: 'a history that ends with the user, and a prompt: they are one message',
    steps: [done],
    options: { messages: [{ role: 'user', content: 'before' }] },
    ends: 'end_turn',
    history: ['user: "before" "go"', 'assistant: "All done."'],
  },
])
