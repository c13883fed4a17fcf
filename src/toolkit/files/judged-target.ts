import { isInside, locate, resolveLinks } from './paths.ts'

/** Where calls write, links followed. What a call was judged by is what it must still be when it runs. */
interface JudgedTarget<In extends { readonly path: string }> {
  /** Where it leads now. @throws {Error} where that cannot be told. */
  now(input: In): string
  /** Does it lie outside the workspace? That it was asked is remembered with the answer. */
  isOutside(input: In): boolean
  /** @throws {Error} when it leads elsewhere than when it was judged: somebody has put a link there meanwhile. */
  atRun(input: In): string
}

export function judgedTarget<In extends { readonly path: string }>(workspace: string): JudgedTarget<In> {
  const judged = new WeakMap<In, string>()
  const now = ({ path }: In): string => resolveLinks(locate(workspace, path))
  return {
    now,
    isOutside(input) {
      const target = now(input)
      judged.set(input, target)
      return !isInside(resolveLinks(workspace), target)
    },
    atRun(input) {
      const target = now(input)
      const before = judged.get(input)
      if (before === undefined || before === target) return target
      throw new Error(
        `${JSON.stringify(input.path)} leads to ${JSON.stringify(target)} now; when the call was judged it led to ${JSON.stringify(before)}. Nothing was written. Look at what is there with list_dir; call again if that is meant.`,
      )
    },
  }
}
