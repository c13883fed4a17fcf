// The terminal agent as it is, but for its model: that says what the script named in LENA_TEST_SCRIPT has it say.
import { runAsProcess } from '../../../src/cli/process.ts'
import type { Model } from '../../../src/index.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
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
  long: () => scriptedModel({ text: `${'word '.repeat(100_000)}end` }),
  shell: () => scriptedModel(shell('echo hello > said.txt; cat said.txt'), tells),
  // The first line of the file is the process of the agent, the second that of the command.
  sleeps: () => scriptedModel(shell('echo $PPID > pids; echo $$ >> pids; echo asleep; exec sleep 300')),
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
await runAsProcess({ modelOf: () => model })
