import type { Lookups } from '../../host/file-system.ts'
import { judging } from '../../host/judging.ts'
import { isInside, resolveLinks } from '../../host/paths.ts'
import type { Ground } from '../ground.ts'
import { locate } from './paths.ts'

/** Where calls write, links followed. What a call was judged by is what it must still be when it runs. */
interface JudgedTarget<In extends { readonly path: string }> {
  /** Where it leads now. @throws {Error} where that cannot be told. */
  now(input: In): string | Promise<string>
  /** Does it lie outside the workspace? That it was asked is remembered with the answer. */
  isOutside(input: In): boolean | Promise<boolean>
  /** @throws {Error} when it leads elsewhere than when it was judged: somebody has put a link there meanwhile. */
  atRun(input: In): Promise<string>
}

export function judgedTarget<In extends { readonly path: string }>(ground: Ground): JudgedTarget<In> {
  const judged = new WeakMap<In, string>()
  const targetOf = (look: Lookups, { path }: In): string => resolveLinks(look, locate(ground, path))
  const now = (input: In): string | Promise<string> => judging(ground.files, (look) => targetOf(look, input))
  return {
    now,
    isOutside(input) {
      const found = judging(ground.files, (look) => {
        const target = targetOf(look, input)
        return { target, isOutside: !isInside(resolveLinks(look, ground.workspace), target) }
      })
      const remember = ({ target, isOutside }: Awaited<typeof found>): boolean => {
        judged.set(input, target)
        return isOutside
      }
      return found instanceof Promise ? found.then(remember) : remember(found)
    },
    async atRun(input) {
      const target = await now(input)
      const before = judged.get(input)
      if (before === undefined || before === target) return target
      throw new Error(
        `${JSON.stringify(input.path)} leads to ${JSON.stringify(target)} now; when the call was judged it led to ${JSON.stringify(before)}. Nothing was written. Look at what is there with list_dir; call again if that is meant.`,
      )
    },
  }
}
