import type { CommandEnd, CommandRequest, Host } from '../../../../src/toolkit/index.ts'
import { localHost } from '../../../../src/toolkit/index.ts'

/** This machine, but for its commands: each prints that and ends so. What was asked for is kept. */
export function scriptedHost(output: string, end: Partial<CommandEnd> = {}): Host & { readonly requests: readonly CommandRequest[] } {
  const requests: CommandRequest[] = []
  return {
    ...localHost(),
    requests,
    async run(request) {
      requests.push(request)
      request.onOutput(output)
      return { why: 'exited', exitCode: 0, isHeld: false, left: [], ...end }
    },
  }
}
