// The terminal agent as it is, but for its model: that says what the script named in LENA_TEST_SCRIPT has it say.
import { runAsProcess } from '../../../src/cli/process.ts'
import type { Model } from '../../../src/index.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import { systemClock } from '../../../src/util/clock.ts'
import type { ScriptStep } from '../../../src/testing/index.ts'

const shell = (command: string): ScriptStep => ({ calls: [{ name: 'shell', input: { command } }] })
/** Says what the newest result was. */
const tells: ScriptStep = ({ messages }) => ({
  text: `The tool said: ${messages
    .at(-1)!
    .content.map((block) => (block.type === 'tool_result' && block.content[0]?.type === 'text' ? block.content[0].text : ''))
    .join('')}`,
})
const hangs: ScriptStep = { text: 'So far so good', hang: true, after: 5 }

const report = `# Report

The tests of \`lena\` **pass**, see [the page](https://example.org/a).

1. First
2. Second
   - and below it

\`\`\`ts
const answer = 42 // of all
\`\`\`

| file | lines |
|------|------:|
| a.ts | 120 |
| b.ts | 7 |

> Done.
`

const tour = `## One file

**greet.ts** exports one function, see [the guide](https://example.org/guide):

\`\`\`ts
export const greet = () => 'Hello' // for now
\`\`\`

| name | kind | used |
|------|------|-----:|
| \`a\` | constant | 0 |
| \`greet\` | function | 1 |

1. \`a\` can go.
2. *greet* could take a name.

> Nothing was changed.
`

const scripts: Record<string, () => Model> = {
  hangs: () => scriptedModel(hangs, { text: 'Going on.' }),
  deaf: () => scriptedModel({ text: 'So far so good', hang: 'deaf', after: 5 }),
  endless: () => ({
    provider: 'endless',
    id: 'endless',
    async *stream(_request, { signal }) {
      yield { type: 'message_start' }
      yield { type: 'block_start', index: 0, block: { type: 'text' } }
      while (!signal.aborted) {
        yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'again and again\n' } }
        await new Promise((resolve) => setImmediate(resolve))
      }
      throw signal.reason as Error
    },
  }),
  mcp: () => scriptedModel({ calls: [{ name: 'mcp__odd__echo', input: { word: 'hello' } }] }, tells),
  // The calls that LENA_TEST_CALLS says, one for each prompt, and what came of it.
  calls: () => {
    const calls = JSON.parse(process.env['LENA_TEST_CALLS'] ?? '[]') as { name: string; input: Record<string, string> }[]
    const step: ScriptStep = (request) =>
      request.messages.at(-1)!.content.some(({ type }) => type === 'tool_result') ? tells(request) : { calls: calls.splice(0, 1) }
    return scriptedModel(step, step, step, step)
  },
  long: () => scriptedModel({ text: `${'word '.repeat(100_000)}end` }),
  shell: () => scriptedModel(shell('echo hello > said.txt; cat said.txt'), tells),
  // The first line of the file is the process of the agent, the second that of the command.
  sleeps: () => scriptedModel(shell('echo $PPID > pids; echo $$ >> pids; echo asleep; exec sleep 300')),
  // Says what it was sent.
  echoes: () =>
    scriptedModel(({ messages }) => ({
      text: messages
        .map(
          ({ role, content }) =>
            `${role}: ${content.map((block) => (block.type === 'text' ? block.text : block.type === 'tool_result' ? (block.code ?? block.status) : block.type)).join('+')}`,
        )
        .join(' | '),
    })),
  markdown: () => scriptedModel({ text: report }, { text: 'And **on** it goes.' }),
  tour: () =>
    scriptedModel(
      {
        text: 'I will look.',
        calls: [{ name: 'list_dir', input: {} }],
      },
      {
        calls: [
          { name: 'read_file', input: { path: 'greet.ts' } },
          {
            name: 'todo',
            input: {
              todo: [
                { text: 'Look around', status: 'done' },
                { text: 'Tell what there is', status: 'in_progress' },
              ],
            },
          },
        ],
      },
      { text: tour },
    ),
  edits: () =>
    scriptedModel(
      { calls: [{ name: 'read_file', input: { path: 'greet.ts' } }] },
      { text: 'I will say it in French.', calls: [{ name: 'edit_file', input: { path: 'greet.ts', old: "'Hello'", new: "'Bonjour'" } }] },
      tells,
    ),
  floods: () => scriptedModel(shell('for i in $(seq 10000); do echo "line $i"; done'), { text: 'That was a lot.' }),
  sneaks: () =>
    scriptedModel({ calls: [{ name: 'read_file', input: { path: 'notes.txt' } }] }, shell('cat notes.txt # \u001b[2J\u202e'), tells),
  waits: () => scriptedModel(shell('echo begun; exec sleep 300'), { text: 'Going on.' }),
  crashes: () => ({
    provider: 'crashes',
    id: 'crashes',
    async *stream() {
      yield { type: 'message_start' }
      setImmediate(() => {
        throw new Error('out of nowhere')
      })
      await new Promise(() => {})
    },
  }),
}

const script = scripts[process.env['LENA_TEST_SCRIPT'] ?? '']
if (!script) throw new Error(`LENA_TEST_SCRIPT must be one of ${Object.keys(scripts).join(', ')}.`)
const model = script()
// For pictures: time goes by, and no clock tells it.
const still = { now: () => 1_800_000_000_000, sleep: systemClock.sleep }
await runAsProcess({ modelOf: () => model, ...(process.env['LENA_TEST_CLOCK'] === 'still' && { clock: still }) })
