import type { McpClientSettings } from '../../mcp/index.ts'
import { oneAtATime } from '../one-question.ts'
import { visible } from '../trust/visible.ts'
import { Sitting } from './sitting.ts'
import type { SittingOptions } from './sitting.ts'
import type { Turns } from './turns.ts'

/** Answers what an MCP server asks a person. */
export type Elicit = Extract<McpClientSettings['elicitation'], (...all: never[]) => unknown>

export type ElicitOptions = SittingOptions & {
  readonly turns: Pick<Turns, 'current'>
  readonly warn: (text: string) => void
}

/** Asks the person at the terminal, while work is under way: whoever types the next task is not to be disturbed. */
export function elicitAtTerminal({ turns, warn, ...options }: ElicitOptions): Elicit {
  const declined = elicitFromNobody(warn)
  return async (question, { signal }) => {
    const work = turns.current
    if (!work) return declined(question, { signal })
    const until = AbortSignal.any([signal, work])
    const answer = await oneAtATime(options.reader, until, async () => {
      const sitting = new Sitting(options, until)
      return question.mode === 'url'
        ? await (await import('./page.ts')).askPage(question, sitting)
        : await (await import('./form.ts')).askForm(question, sitting)
    })
    return answer ?? { action: 'cancel' }
  }
}

/** Declines what a server asks with nobody there, and says so. */
export function elicitFromNobody(warn: (text: string) => void): Elicit {
  return ({ server, message, mode }) => {
    const what = mode === 'url' ? 'wanted a page visited' : 'asked for something'
    warn(`The MCP server "${visible(server, 80)}" ${what}, and there is nobody to ask, so it was declined: ${visible(message, 300)}`)
    return { action: 'decline' }
  }
}
