import { tryScenarios } from '../support/scenarios.ts'

const one = { name: 'look', input: { at: 1 } }
const two = { name: 'look', input: { at: 2 } }
const done = { text: 'All done.' }

tryScenarios([
  {
    name: 'limits.turns, after the tools of the turn',
    steps: [{ calls: [one] }, { calls: [two] }],
    invoke: { limits: { turns: 2 } },
    ends: 'limit_turns',
    history: [
      'user: "go"',
      'assistant: look#call_1 {"at":1}',
      'user: call_1 success "seen 1"',
      'assistant: look#call_2 {"at":2}',
      'user: call_2 success "seen 2"',
    ],
  },
  {
    name: 'limits.turns is not reached by an answer in the last one',
    steps: [{ text: 'Just so.' }],
    invoke: { limits: { turns: 1 } },
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: "Just so."'],
  },
  {
    name: 'limits.totalTokens, exactly reached',
    steps: [{ calls: [one], usage: { inputTokens: 10, outputTokens: 5 } }],
    invoke: { limits: { totalTokens: 15 } },
    ends: 'limit_total_tokens',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"'],
  },
  {
    name: 'limits.outputTokens, exactly reached',
    steps: [{ calls: [one], usage: { inputTokens: 10, outputTokens: 5 } }],
    invoke: { limits: { outputTokens: 5 } },
    ends: 'limit_output_tokens',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"'],
  },
  {
    name: 'limits.totalTokens, one token short',
    steps: [{ calls: [one], usage: { inputTokens: 10, outputTokens: 5 } }, done],
    invoke: { limits: { totalTokens: 16 } },
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"', 'assistant: "All done."'],
  },
  {
    name: 'all limits at once: turns come first',
    steps: [{ calls: [one] }],
    invoke: { limits: { outputTokens: 1, totalTokens: 1, turns: 1 } },
    ends: 'limit_turns',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"'],
  },
  {
    name: 'two limits at once: all tokens before those of the output',
    steps: [{ calls: [one] }],
    options: { limits: { outputTokens: 1, totalTokens: 1 } },
    ends: 'limit_total_tokens',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"'],
  },
  {
    name: 'a limit of the call goes before the one of the agent',
    steps: [{ calls: [one] }, done],
    options: { limits: { turns: 1 } },
    invoke: { limits: { turns: 2 } },
    ends: 'end_turn',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"', 'assistant: "All done."'],
  },
  {
    name: 'a limit that is undefined is not given',
    steps: [{ calls: [one] }],
    options: { limits: { turns: 1 } },
    invoke: { limits: { turns: undefined } },
    ends: 'limit_turns',
    history: ['user: "go"', 'assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"'],
  },
])
