import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { fileJournal } from '../../src/durable/file-journal.ts'
import type { Model } from '../../src/models/model.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { Step, StepRunner } from '../../src/tools/steps.ts'
import { deferred } from '../support/promises.ts'
import { toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-journal-agents-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const never = (): Promise<never> => new Promise(() => {})
const callsOf = (name: string, ...ats: readonly number[]) => ats.map((at) => ({ name, input: { at } }))

/** Answers by the number of answers that the history has. */
const modelOf = (id: string, answers: readonly ScriptedAnswer[]): Model => ({
  provider: 'scripted',
  id,
  async *stream({ messages }) {
    yield* eventsOf(answers[messages.filter(({ role }) => role === 'assistant').length]!)
  },
})

/**
 * One process, which dies at its n-th point: from then on nothing of it moves. An agent calls another one twice in one turn, beside a
 * tool of its own. Gives the names of the steps that were done, and the answer, if it came to one.
 */
async function oneProcess(file: string, n: number) {
  const died = deferred()
  const did: string[] = []
  const keys = new Map<string, string>()
  let points = 0
  let isDead = false
  const point = async (): Promise<void> => {
    if (!isDead && ++points === n) {
      isDead = true
      died.resolve()
    }
    if (isDead) await never()
  }
  await using journal = fileJournal({ file })
  const steps: StepRunner = {
    concurrency: journal.concurrency,
    conversationId: journal.conversationId,
    async run(step: Step, fn, options) {
      await point()
      const doing = async (): ReturnType<typeof fn> => {
        did.push(step.name)
        const value = await fn()
        await point()
        return value
      }
      const value = await journal.run(step, doing, options).catch(async (error: unknown) => {
        if (isDead) await never()
        throw error
      })
      await point()
      return value
    },
  }
  const act = toolNamed(
    'act',
    async ({ at }, { idempotencyKey, toolUse }) => {
      await point()
      keys.set(`${idempotencyKey} ${toolUse.id}`, `at ${at}`)
      return 'acted'
    },
    { isConcurrencySafe: true },
  )
  const inner = new Agent({
    name: 'inner',
    model: modelOf('inner', [{ calls: callsOf('act', 1, 2) }, { calls: callsOf('act', 3) }, { text: 'Inner done.' }]),
    tools: [act],
  })
  const ask = (input: string) => ({ name: 'inner', input: { input } })
  const outer = new Agent({
    model: modelOf('outer', [{ calls: [ask('a'), ...callsOf('act', 9), ask('b')] }, { text: 'Done.' }]),
    tools: [inner, act],
    steps,
  })
  const text = await Promise.race([outer.invoke('go').then((result) => result.text), died.promise.then(() => undefined)])
  return { did, text, keys: [...keys.keys()], points }
}

/** Names of the steps whose records are whole. */
const finished = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(1, -1)
    .flatMap((line) => {
      const { type, name } = JSON.parse(line) as { readonly type: string; readonly name: string }
      return type === 'ended' ? [name] : []
    })

it(
  'a run with sub-agents goes on wherever its process dies: nothing that they had finished is done again',
  { timeout: 120_000 },
  async () => {
    const whole = await oneProcess(join(folder, 'whole.jsonl'), Infinity)
    // Two turns outside and three in each conversation inside; one tool call outside and three in each.
    expect([whole.text, new Set(whole.did).size, whole.did.length]).toEqual(['Done.', 15, 15])
    for (let n = 1; n <= whole.points; n++) {
      const file = join(folder, `${n}.jsonl`)
      const first = await oneProcess(file, n)
      expect(first.text, `point ${n}`).toBeUndefined()
      const before = finished(file)
      const second = await oneProcess(file, Infinity)
      expect([n, second.text, second.did.filter((name) => before.includes(name))]).toEqual([n, 'Done.', []])
      expect([n, finished(file).length]).toEqual([n, 15])
      // What is done again, because it was under way, has the key that it had.
      expect([n, new Set([...first.keys, ...second.keys]).size]).toEqual([n, 7])
    }
  },
)
