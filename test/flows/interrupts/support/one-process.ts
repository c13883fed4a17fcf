// One process of a run that stops to ask: `ask <file>` runs to the question and saves its state, `answer <file>` goes on from there.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from '../../../../src/agent/agent.ts'
import type { Checkpoint } from '../../../../src/checkpoints/checkpoint.ts'
import { answer } from '../../../../src/interrupts/interrupt.ts'
import { scriptedModel } from '../../../../src/testing/scripted-model.ts'
import { look, toolNamed } from '../../../support/tools.ts'
import { sketch } from '../../../support/sketch.ts'

const [what, file] = process.argv.slice(2) as [string, string]
const log = (line: string): void => appendFileSync(`${file}.log`, `${line}\n`)

const tools = [
  look(({ at }, { idempotencyKey }) => {
    log(`look ${at} ${idempotencyKey}`)
    return `seen ${at}`
  }),
  toolNamed('write', ({ at }, { interrupt, idempotencyKey }) => {
    log(`write ${at} ${idempotencyKey}`)
    const said = interrupt<string>({ name: 'colour', reason: { at } })
    log(`done ${at} ${idempotencyKey}`)
    return `written ${at} in ${said}`
  }),
]
const calls = [1, 2, 3].map((at) => ({ name: at === 1 ? 'look' : 'write', input: { at } }))
const model = what === 'ask' ? scriptedModel({ text: 'Now.', calls }) : scriptedModel({ text: 'Done.' })
const agent = new Agent({ model, tools, retry: false, state: { begun: what } })

if (what === 'ask') {
  const { checkpoint } = await agent.invoke('go')
  writeFileSync(file, JSON.stringify(checkpoint))
} else {
  const checkpoint = JSON.parse(readFileSync(file, 'utf8')) as Checkpoint
  const responses = checkpoint.interrupts.map((interrupt) => answer(interrupt, `red ${interrupt.name}`))
  const result = await agent.invoke({ type: 'resume', checkpoint, responses })
  if (result.checkpoint) writeFileSync(file, JSON.stringify(result.checkpoint))
  const ids = checkpoint.interrupts.map(({ id }) => id)
  console.log(
    JSON.stringify({
      stopReason: result.stopReason,
      ids,
      state: agent.state,
      sketch: sketch(agent.messages),
      calls: model.requests.length,
    }),
  )
}
