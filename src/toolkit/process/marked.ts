import { readdirSync, readFileSync } from 'node:fs'
import { tellGuardian } from '../../util/guardian.ts'
import { randomIds } from '../../util/ids.ts'

/** The variable with the marks of the calls that a process descends from. */
export const markName = 'LENA_AGENT_JOB'

export type Marked = { readonly pid: number; readonly marks: string }

/**
 * The processes that have inherited a mark, as they were started with it, wherever they moved; `undefined` where the system does not
 * show the environments of processes. One that has ended and was not waited for has none any more.
 */
export function markedProcesses(): readonly Marked[] | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readdirSync('/proc').flatMap((name): readonly Marked[] => {
      const pid = Number(name)
      return Number.isInteger(pid) && pid !== process.pid ? markOf(pid) : []
    })
  } catch {
    return undefined
  }
}

function markOf(pid: number): readonly Marked[] {
  try {
    const marks = new RegExp(`(?:^|\0)${markName}=([^\0]*)`).exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1]
    return marks === undefined ? [] : [{ pid, marks }]
  } catch {
    // It is gone, or somebody else's.
    return []
  }
}

/** What is being ended may start another one meanwhile. */
const maxRounds = 5

/** Ends all with this mark at once. */
export function killMarked(mark: string): void {
  for (let round = 0; round < maxRounds; round++) {
    const found = (markedProcesses() ?? []).filter(({ marks }) => marks.includes(mark))
    for (const { pid } of found) signalOne(pid, 'SIGKILL')
    if (found.length === 0) return
  }
}

export function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone, or not ours any more.
  }
}

let program: string | undefined
let sessions = 0

/** The beginning of the marks of one session. All that is marked ends with this program, whatever way it ends. */
export function newSession(): string {
  if (program === undefined) {
    const own = (program = `${randomIds.next('record')}.`)
    process.on('exit', () => killMarked(own))
    if (process.platform === 'linux') tellGuardian('mark', own)
  }
  return `${program}${++sessions}.`
}
