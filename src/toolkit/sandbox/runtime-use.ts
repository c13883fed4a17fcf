import { readFileSync } from 'node:fs'
import type * as Library from '@anthropic-ai/sandbox-runtime'
import type { SandboxManager, SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime'
import { onAbort, reasonOf } from '../../util/abort.ts'
import { tellGuardian } from '../../util/guardian.ts'
import { cannot } from './command.ts'

export type Runtime = typeof SandboxManager

type Network = SandboxRuntimeConfig['network']
/** What the library is set up for: it knows one network and one ripgrep at a time. */
export type RuntimeSetup = {
  readonly network: Network | 'open'
  readonly ripgrep: string | undefined
}

type Use = {
  readonly key: string
  readonly runtime: Promise<Runtime>
  readonly over: Promise<void>
  readonly finish: () => void
  count: number
  isEnding: boolean
}

let current: Use | undefined

/**
 * The library, set up, until `leave` is called. It is one for the whole program: commands that need it set up alike share it, others wait
 * until those have ended. When the last has ended its proxies are closed, so that nothing is left open.
 *
 * @throws when it is not installed, or what it needs of the system is missing.
 */
export async function useRuntime(setup: RuntimeSetup, signal: AbortSignal): Promise<{ runtime: Runtime; leave: () => Promise<void> }> {
  const key = JSON.stringify(setup)
  while (current && (current.key !== key || current.isEnding)) await untilAbort(current.over, signal)
  const use = (current ??= begun(key, setup))
  use.count++
  const leave = (): Promise<void> => left(use)
  try {
    return { runtime: await untilAbort(use.runtime, signal), leave }
  } catch (error) {
    await leave()
    throw error
  }
}

function begun(key: string, setup: RuntimeSetup): Use {
  let finish = (): void => {}
  const over = new Promise<void>((resolve) => (finish = resolve))
  return { key, runtime: started(setup), over, finish, count: 0, isEnding: false }
}

async function left(use: Use): Promise<void> {
  if (--use.count > 0) return
  use.isEnding = true
  try {
    await (await use.runtime).reset()
  } catch {
    // What could not be set up has nothing to close, and what cannot be closed ends with the program.
  } finally {
    tellGuardian('processes', '')
    current = undefined
    use.finish()
  }
}

async function started({ network, ripgrep }: RuntimeSetup): Promise<Runtime> {
  const { SandboxManager: runtime, SandboxRuntimeConfigSchema } = await loaded()
  const rest = { filesystem: { denyRead: [], allowWrite: [], denyWrite: [] }, ...(ripgrep && { ripgrep: { command: ripgrep } }) }
  if (network === 'open') {
    // It remembers what it was set up for before, and without a list of hosts it leaves the network alone.
    if (runtime.getConfig()) runtime.updateConfig({ ...rest, network: { deniedDomains: [] } as unknown as Network })
    return runtime
  }
  const config = SandboxRuntimeConfigSchema.safeParse({ ...rest, network })
  if (!config.success) {
    const [issue] = config.error.issues
    throw cannot(`its runtime does not take "${issue?.path.join('.')}" as it is: ${issue?.message}. Correct the hosts of the sandbox`)
  }
  try {
    await keepingSignals(() => runtime.initialize({ ...rest, network }))
    tellGuardian('processes', carriers().join(' '))
    return runtime
  } catch (error) {
    throw cannot(`its runtime cannot start: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function loaded(): Promise<typeof Library> {
  try {
    return await import('@anthropic-ai/sandbox-runtime')
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND'
    throw cannot(
      isMissing
        ? 'the package "@anthropic-ai/sandbox-runtime", which makes it on macOS and wherever single hosts are let through, is not installed. Install it: npm install @anthropic-ai/sandbox-runtime (0.0.78 for Node 20)'
        : `the package "@anthropic-ai/sandbox-runtime" cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/**
 * The library would listen to signals for as long as the program runs, and a program with a listener does not end by them any more. It
 * listens with one function to all three.
 */
async function keepingSignals(run: () => Promise<void>): Promise<void> {
  const names = ['exit', 'SIGINT', 'SIGTERM'] as const
  const listeners = (): readonly (readonly unknown[])[] => names.map((name) => process.listeners(name as 'exit'))
  const before = listeners()
  try {
    await run()
  } finally {
    const [onExit, ...onSignals] = listeners()
    const added = onExit!.filter((each) => !before[0]!.includes(each) && onSignals.every((those) => those.includes(each)))
    for (const each of added) for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, each as () => void)
  }
}

/** On Linux programs beside us carry the traffic. They would outlive a program that is killed. */
function carriers(): readonly string[] {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean)
    return children.filter((pid) => readFileSync(`/proc/${pid}/comm`, 'latin1') === 'socat\n')
  } catch {
    return []
  }
}

async function untilAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let off = (): void => {}
  const aborted = new Promise<never>((_, reject) => (off = onAbort(signal, () => reject(reasonOf(signal)))))
  try {
    return await Promise.race([promise, aborted])
  } finally {
    off()
  }
}
