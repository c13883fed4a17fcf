import type { CommandRun } from '../command.ts'
import { exitCodes } from '../exit-code.ts'
import { safeJson, showControls } from '../sanitise.ts'
import { styleFor } from '../style.ts'
import type { Finding } from './finding.ts'
import { checks } from './checks.ts'

/** `lena doctor` */
export async function doctorCommand({ io, out, options, workspace }: CommandRun): Promise<number> {
  const findings: Finding[] = (await Promise.all(checks.map((check) => check({ io, workspace })))).flat()
  const isWell = findings.every(({ state }) => state !== 'bad')
  if (options.output === 'json') out.line(safeJson({ ok: isWell, findings }))
  else {
    const style = styleFor(io.stdout, io.env)
    const signs = { good: style.green(style.ok), note: style.dim('-'), bad: style.red(style.bad) }
    for (const { state, about, said } of findings) out.line(`${signs[state]} ${about}: ${showControls(said)}`)
    out.line(isWell ? 'Nothing keeps Lena from working.' : 'What is marked keeps Lena from working.')
  }
  return isWell ? exitCodes.done : exitCodes.failed
}
