import type { AgentOptions, Model, Tool } from 'lena-agent'
import { Agent } from 'lena-agent'
import type { Cassette, Recorder } from 'lena-agent/testing'
import { formatCassette, parseCassette, recorder } from 'lena-agent/testing'

/** What a run has of the outside. In a replay it is not there. */
export type Outside = { readonly model: Model; readonly tools?: readonly Tool[] }

export const absent = (what: string) => (): never => {
  throw new Error(`${what} must not be used in a replay`)
}

/** An agent whose outside passes the recorder. */
export function agentOn(tape: Recorder, { model, tools = [] }: Outside, options: Partial<AgentOptions> = {}): Agent {
  const isReplay = tape.mode === 'replay'
  return new Agent({
    model: tape.model(isReplay ? absent('the model') : model),
    tools: tools.map((tool) => tape.tool(isReplay ? without(tool) : tool)),
    clock: tape.clock,
    ids: tape.ids,
    ...options,
  })
}

const without = (tool: Tool): Tool => ({ ...tool, name: tool.name, run: absent(tool.name) })

/** As another process would read it. */
export const reread = (cassette: Cassette): Cassette => parseCassette(formatCassette(cassette))

export type Twice = { readonly recorded: string; readonly replayed: string; readonly cassette: Cassette }

/** The same program on the outside, and on the cassette that came of it. What it gives is compared as JSON. */
export async function twice(program: (tape: Recorder) => Promise<unknown>): Promise<Twice> {
  const recording = recorder()
  const recorded = JSON.stringify(await program(recording))
  await recording.close()
  const cassette = reread(recording.cassette)
  const replay = recorder({ cassette })
  const replayed = JSON.stringify(await program(replay))
  await replay.close()
  return { recorded, replayed, cassette }
}
