import { homedir } from 'node:os'
import { join } from 'node:path'
import { cannot } from './command.ts'
import type { Command, Wrapped } from './command.ts'
import { keptOf } from './place.ts'
import type { SandboxPlace } from './place.ts'
import { useRuntime } from './runtime-use.ts'
import type { RuntimeSetup } from './runtime-use.ts'

/** What the library lets everybody write in. Nothing of a command has to: it gets a temporary folder of its own. */
const opened = (): readonly string[] => [
  '/tmp/claude',
  '/private/tmp/claude',
  join(homedir(), '.npm/_logs'),
  join(homedir(), '.claude/debug'),
]

/**
 * A command in a sandbox that `@anthropic-ai/sandbox-runtime` makes: by Seatbelt on macOS, by bubblewrap on Linux, with a proxy of its
 * own that lets single hosts through.
 */
export async function wrapByRuntime(command: Command, place: SandboxPlace, setup: RuntimeSetup, signal: AbortSignal): Promise<Wrapped> {
  const { workspace, recordFolder, writable, fixed, hidden } = place
  const open = [workspace, ...writable, ...(recordFolder === undefined ? [] : [recordFolder]), ...keptOf(place)]
  const closed = hidden.map(({ path }) => path)
  const odd = [...open, ...fixed, ...closed].find((path) => /[*?[\]{}]/.test(path))
  if (odd !== undefined)
    throw cannot(`its runtime would take the path ${odd} for a pattern. Choose a folder without * ? [ ] { } in its name`)
  const { runtime, leave } = await useRuntime(setup, signal)
  try {
    const inside = [...(setup.network === 'open' ? [] : [untilListening]), insideOf(command, recordFolder)].join('; ')
    const filesystem = { denyRead: closed, allowRead: [], allowWrite: open, denyWrite: [...fixed, ...opened()] }
    const { argv } = await runtime.wrapWithSandboxArgv(inside, command.program, { filesystem }, signal)
    const [program, ...args] = argv
    return {
      program: program!,
      args,
      env: { ...command.env, ...variablesOf(command.args) },
      async ended() {
        // Files that it made to be bound over. Before the next command it would take them for ours.
        runtime.cleanupAfterCommand()
        await leave()
      },
    }
  } catch (error) {
    await leave()
    throw error
  }
}

/**
 * On Linux the library starts what listens for the command beside it, and does not wait for it: a command that is quick would find nobody.
 * Two seconds at most for each. Not where the network is open: there the proxies are the user's own.
 */
const untilListening = `for proxy in "$HTTP_PROXY" "$FTP_PROXY"; do for try in {1..100}; do [ -z "$proxy" ] || (exec 3<>"/dev/tcp/127.0.0.1/\${proxy##*:}") 2>/dev/null && break; sleep 0.02; done; done`

const nameOf = (index: number): string => `LENA_AGENT_ARG_${index}`

/**
 * The library takes a line for a shell, and quotes it several times over. What the command is goes in by variables, so that neither its
 * length nor its quotes grow with that.
 */
function insideOf({ program, args }: Command, recordFolder: string | undefined): string {
  const names = args.map((_, i) => nameOf(i))
  const taken = names.map((name, i) => `a${i}=$${name}; unset ${name}`)
  const given = names.map((_, i) => `"$a${i}"`)
  const temporary = recordFolder === undefined ? [] : [`export TMPDIR=${quoted(recordFolder)}`]
  return [...taken, ...temporary, ['exec', quoted(program), ...given].join(' ')].join('; ')
}

const variablesOf = (args: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(args.map((arg, i) => [nameOf(i), arg]))

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
