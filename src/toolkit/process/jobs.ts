import type { Job, Jobs } from '../../host/host.ts'
import type { Clock } from '../../util/clock.ts'
import { signalGroup } from '../../util/process-group.ts'
import { groupOf, hasMembers } from './group.ts'
import { killMarked, markedProcesses, newSession, signalOne } from './marked.ts'

/** One call of a command. */
export interface Started {
  /** Goes into the environment of the command, and is inherited by all that it starts. */
  readonly mark: string
  /** The group that it runs in, once there is one. */
  readonly runsIn: (group: number) => void
  /** Its processes that run now. */
  readonly pids: () => readonly number[]
  /** To its processes that left the group. */
  readonly signal: (signal: NodeJS.Signals) => void
}

/**
 * The list as the host sees it. All ends with this program at the latest. On Linux every process is found that has inherited the
 * environment of a command, wherever it moved; elsewhere those that stayed in its process group.
 */
export interface JobList extends Jobs {
  start(command: string): Started
}

export const endAfterMs = 1000
/** Of so many calls it is remembered what they ran. */
const maxRemembered = 200

type Call = { readonly command: string; readonly mark: string; group: number | undefined }

export function jobList(clock: Clock): JobList {
  let session: string | undefined
  let count = 0
  let calls: readonly Call[] = []
  const running = (among: readonly Call[]): readonly (Job & { readonly call: Call })[] => {
    const marked = among.length > 0 ? markedProcesses() : []
    return among.flatMap((call) => {
      const pids = marked ? marked.flatMap(({ pid, marks }) => (marks.includes(call.mark) ? [pid] : [])) : leftIn(call.group)
      return pids.length > 0 ? [{ call, command: call.command, pids }] : []
    })
  }
  const end = (jobs: readonly Job[], signal: NodeJS.Signals): void => {
    const send = process.platform === 'linux' ? signalOne : signalGroup
    for (const pid of jobs.flatMap(({ pids }) => pids)) send(pid, signal)
  }
  return {
    list: () => running(calls).map(({ command, pids }) => ({ command, pids })),
    start(command) {
      session ??= newSession()
      const call: Call = { command, mark: `${session}${++count}.`, group: undefined }
      if (calls.length >= maxRemembered)
        calls = running(calls)
          .map((job) => job.call)
          .slice(-maxRemembered / 2)
      calls = [...calls, call]
      return {
        mark: call.mark,
        runsIn: (group) => void (call.group = group),
        pids: () => running([call]).flatMap(({ pids }) => pids),
        signal(signal) {
          if (signal === 'SIGKILL') return killMarked(call.mark)
          // Not twice to one: to many programs the second SIGTERM says that nothing is to be put in order any more.
          const outside = process.platform === 'linux' ? running([call]).flatMap(({ pids }) => pids) : []
          for (const pid of outside) if (groupOf(pid) !== call.group) signalOne(pid, signal)
        },
      }
    },
    async end() {
      const jobs = running(calls)
      if (jobs.length === 0 || session === undefined) return
      end(jobs, 'SIGTERM')
      await clock.sleep(endAfterMs, new AbortController().signal)
      end(running(calls), 'SIGKILL')
      killMarked(session)
    },
  }
}

/** A group with somebody in it, by its number. */
const leftIn = (group: number | undefined): readonly number[] => (group !== undefined && hasMembers(group) ? [group] : [])
