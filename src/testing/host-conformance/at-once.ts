import type { Lookups } from '../../host/file-system.ts'
import { codeOf } from '../../host/paths.ts'
import type { AddTest } from './machine.ts'
import { same } from './machine.ts'

const outcome = async (ask: () => unknown): Promise<unknown> => {
  try {
    return await ask()
  } catch (error) {
    return `the code ${codeOf(error)}`
  }
}

/** `atOnce`, where there is one. */
export function testAtOnce(test: AddTest): void {
  test('what is answered at once is what the others answer', async (at) => {
    // Not `at.files`: it bounds waits, and there is none.
    const { atOnce } = at.host.files
    if (!atOnce) return
    await at.write('file', 'ä\n')
    await at.write('a\nb', '')
    await at.sh('mkdir folder; ln -s file link; ln -s nowhere dangling; ln -s b a; ln -s a b; ln -s folder/../file way')
    for (const name of ['file', 'a\nb', 'folder', 'link', 'dangling', 'a', 'way', 'nowhere', 'nowhere/x', 'file/x', '.'].map((name) =>
      at.path(name),
    )) {
      const pairs: Readonly<Record<keyof Lookups, readonly [now: () => unknown, later: () => unknown]>> = {
        realpath: [() => atOnce.realpath(name), () => at.files.realpath(name)],
        readlink: [() => atOnce.readlink(name), () => at.files.readlink(name)],
        stat: [() => atOnce.stat(name), () => at.files.stat(name)],
        exists: [() => atOnce.exists(name), async () => (await at.files.stat(name).catch(() => undefined)) !== undefined],
        list: [() => sorted(atOnce.list(name)), () => at.entries(name)],
        read: [() => [...atOnce.read(name)], async () => [...(await at.bytes(name))]],
      }
      for (const [what, [now, later]] of Object.entries(pairs))
        same(await outcome(now), await outcome(later), `atOnce.${what}(${JSON.stringify(name)})`)
    }
  })
}

const sorted = (entries: ReturnType<Lookups['list']>): readonly unknown[] =>
  [...entries].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, kind }) => ({ name, kind }))
