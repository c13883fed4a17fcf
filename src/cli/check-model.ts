import { Agent } from '../index.ts'
import type { Io } from './io.ts'

/**
 * Whether there is such a model, and what it needs to be asked.
 *
 * @throws what a task with it would fail with before it begins: a name that nobody has, a missing key.
 */
export async function checkModel({ modelOf }: Pick<Io, 'modelOf'>, name: string): Promise<void> {
  await using agent = new Agent({ model: modelOf?.(name) ?? name })
  await agent.ready()
}
