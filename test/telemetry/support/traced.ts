import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import { traceFile } from '../../../src/telemetry/index.ts'
import type { TraceFileOptions } from '../../../src/telemetry/index.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { makeAgent } from '../../support/make-agent.ts'

/** A path in a folder that goes when the test is over. */
export async function tempPath(name = 'trace.jsonl'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lena-trace-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, name)
}

/** Ids that a test can write down. */
function countingHex(): (bytes: number) => string {
  let count = 0
  return (bytes) => (++count).toString(16).padStart(bytes * 2, '0')
}

/** An agent that runs the script and writes its trace, on a clock that goes on 5 ms with each look. */
export function traced(
  path: string,
  steps: readonly ScriptStep[],
  options: Partial<AgentOptions> = {},
  more: Partial<TraceFileOptions> = {},
) {
  let now = 1000
  const clock = { now: () => (now += 5) }
  const plugin = traceFile({ path, clock, nextId: countingHex(), ...more })
  return { ...makeAgent(steps, { ...options, plugins: [...(options.plugins ?? []), plugin] }), plugin }
}

export const linesOf = async (path: string): Promise<readonly any[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
