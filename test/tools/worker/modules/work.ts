import type { WorkerContext } from '../../../../src/tools/worker-tool.ts'

type Input = { readonly do: string; readonly text?: string }

/** Nothing but types to leave out: newer versions of Node read it by themselves. */
export default async ({ text = '' }: Input, { progress }: WorkerContext): Promise<string> => {
  await progress({ length: text.length })
  if (text === '') throw new RangeError('nothing to say')
  return text.toUpperCase()
}
