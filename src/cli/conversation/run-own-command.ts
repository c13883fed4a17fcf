import type { Clock } from '../../index.ts'
import type { ShellResult } from '../../toolkit/index.ts'
import { duration } from '../duration.ts'
import type { Output } from '../output.ts'
import { withoutControls } from '../sanitise.ts'
import { Frames } from '../screen/frames.ts'
import { clip } from '../screen/width.ts'
import type { Style } from '../style.ts'
import type { Toolbox } from '../workbench.ts'
import { forModel } from './own-command.ts'
import type { OwnCommand } from './own-command.ts'

export type OwnCommandOptions = {
  /** The shell of the conversation: the person and the model work in the same folder. */
  readonly tools: Toolbox['tools']
  readonly out: Output
  readonly style: Style
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** As long as a command may take. */
const timeout = 600
/** Of what it prints, the last lines are seen while it runs. */
const linesShown = 5

type Shell = (
  input: { readonly command: string; readonly timeout: number },
  context: { readonly signal: AbortSignal; readonly progress: (value: unknown) => Promise<void> },
) => Promise<ShellResult>

/**
 * Runs it and shows what it prints. Nobody is asked, and no rule is looked at: it is the person's own word. Gives what the model is to read of it.
 *
 * @throws what keeps it from being run.
 */
export async function runOwnCommand({ command }: OwnCommand, options: OwnCommandOptions): Promise<string> {
  const { tools, out, style, clock, signal } = options
  const shell = tools.find(({ name }) => name === 'shell') as unknown as Shell
  let said = ''
  const live = (now: number): void => out.live(rowsOf(said, frames, now, options))
  const frames = new Frames({ out, clock, draw: live, onTurn: () => out.live([]) })
  if (style.isRich) frames.start()
  try {
    const progress = async (value: unknown): Promise<void> => {
      said = String(value)
      frames.changed()
    }
    const { content } = await shell({ command, timeout }, { signal, progress })
    frames.stop()
    out.live([], shown(content, style))
    return forModel(command, content)
  } finally {
    frames.stop()
    out.live([])
  }
}

function rowsOf(said: string, frames: Frames, now: number, { out, style }: OwnCommandOptions): readonly string[] {
  const width = Math.max(4, out.width - 1)
  const lines = said === '' ? [] : withoutControls(said).replaceAll('\t', '    ').split('\n').slice(-linesShown)
  const seconds = Math.floor(frames.elapsed(now) / 1000)
  const time = seconds > 0 ? ` ${duration(seconds * 1000).replace('.0 s', ' s')}` : ''
  const status = `${style.cyan(frames.sign(now))} ${style.dim(clip(`Running${time} · Ctrl-C ends it`, width - 2))}`
  return [...lines.map((line) => style.dim(clip(line, width))), status]
}

/** All that is left of its output, and how it ended where that is worth a word. */
function shown(content: string, style: Style): string {
  const [, code = '', rest = ''] = /^exit_code: (\S+)\n(.*)$/s.exec(content) ?? [undefined, '', content]
  const output = withoutControls(rest.replace(/<persisted-output path="([^"]*)">/g, '$1').replace(/^\(no output\)\n?/, ''))
  const ended = code === '0' || code === '' ? '' : `${style.red(`exit code ${code}`)}\n`
  return output === '' ? ended : `${output}\n${ended}`
}
