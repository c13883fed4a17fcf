import { InputError } from '../errors.ts'
import type { Host } from '../host/host.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import { checkSuite } from './check-suite.ts'
import { testAtOnce } from './host-conformance/at-once.ts'
import { testBackground } from './host-conformance/background.ts'
import { testCommands } from './host-conformance/commands.ts'
import { testEnding } from './host-conformance/ending.ts'
import { testFolders } from './host-conformance/folders.ts'
import { testLinks } from './host-conformance/links.ts'
import { Machine } from './host-conformance/machine.ts'
import type { AddTest } from './host-conformance/machine.ts'
import { testNames } from './host-conformance/names.ts'
import { testReading } from './host-conformance/reading.ts'
import { testRights } from './host-conformance/rights.ts'
import { testStats } from './host-conformance/stats.ts'
import { testWriting } from './host-conformance/writing.ts'
import type { TestRunner } from './result-store-conformance.ts'

/** A host, and where on it a test may work. */
export type HostUnderTest = {
  readonly host: Host
  /** An empty folder on it: an absolute path without links. */
  readonly folder: string
  /** Called when the test is over. */
  readonly dispose?: (() => unknown) | undefined
}

/**
 * The tests that a host must pass: its files with any content and under any name, the codes of their failures, commands with their
 * output, folder and environment, how they end, and what they leave running. They make what they need by the port itself, and by
 * commands (`ln`, `mkfifo`, `chmod`, `touch`, `ls`, `sleep` and their like must be there). Where the user is root, what is forbidden to
 * others is not tested.
 *
 * @param make gives a host and an empty folder on it, for each test; the host may be the same.
 * @example hostConformance({ test }, async () => ({ host: myHost, folder: await newFolderOn(myHost) }))
 */
export function hostConformance(runner: TestRunner, make: () => HostUnderTest | Promise<HostUnderTest>): void {
  checkSuite('hostConformance', runner, make)
  const test: AddTest = (name, run) =>
    runner.test(name, async () => {
      const { host, folder, dispose } = checked(await make())
      const machine = new Machine(host, folder)
      try {
        await run(machine)
      } finally {
        await machine.close()
        await dispose?.()
      }
    })
  for (const add of [
    testStats,
    testLinks,
    testFolders,
    testReading,
    testWriting,
    testNames,
    testRights,
    testAtOnce,
    testCommands,
    testEnding,
    testBackground,
  ])
    add(test)
}

/** @throws {InputError} for what no test could say more of than that something is undefined. */
function checked(made: unknown): HostUnderTest {
  const { host, folder } = (isObject(made) ? made : {}) as Partial<HostUnderTest>
  if (!isObject(host?.files) || typeof host.run !== 'function' || typeof folder !== 'string' || !folder.startsWith('/'))
    throw new InputError(
      `hostConformance() needs a function that gives { host, folder }, as in { host: localHost(), folder: '/tmp/empty' }; it gave ${describe(made)}${isObject(made) ? ` with the host ${describe(host)} and the folder ${describe(folder)}` : ''}.`,
    )
  return made as HostUnderTest
}
