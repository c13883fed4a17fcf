import type { AgentEvent, StopReason } from '../index.ts'
import type { Output } from './output.ts'
import { showControls } from './sanitise.ts'
import { wrapText } from './screen/wrap.ts'
import type { Style } from './style.ts'

/** What is told on stderr beside the answer. */
export interface Notes {
  /** Something worth knowing; left out with `--quiet`. */
  note(text: string): void
  warn(text: string): void
  /** Never left out. */
  error(text: string): void
}

/**
 * @param out what has a line open on the same terminal; it is ended first.
 * @param aside takes from the screen what is typed there, and puts it below what is written meanwhile.
 */
export function notesTo(
  err: Output,
  {
    style,
    quiet,
    out,
    aside = (write) => write(),
  }: {
    readonly style: Style
    readonly quiet: boolean
    readonly out?: Output | undefined
    readonly aside?: ((write: () => void) => void) | undefined
  },
): Notes {
  const say = (rows: readonly string[]): void => {
    if (out?.isTTY && err.isTTY) out.freshLine()
    aside(() => err.line(rows.join('\n')))
  }
  return {
    note: (text) => quiet || say(wrapText(showControls(text), err.wrapWidth).map(style.dim)),
    // Not broken between words: they name commands and paths, which are copied.
    warn: (text) => quiet || say([`${style.yellow('!')} ${showControls(text)}`]),
    error: (text) => say([`${style.red('lena:')} ${showControls(text, '\n')}`]),
  }
}

/** Warnings of a run, and that it waits to ask the model again. */
export function noteEvent(notes: Notes, event: AgentEvent): void {
  if (event.type === 'warning' || event.type === 'retry') notes.warn(event.message)
}

/** What to tell of a run that ended otherwise than with an answer. */
export function stopNote(stopReason: StopReason, maxTurns: number): string | undefined {
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return undefined
    case 'cancelled':
      return 'Cancelled.'
    case 'limit_turns':
      return `Stopped at the limit of ${maxTurns} turns. Give a larger --max-turns to let it go on longer.`
    case 'refusal':
      return 'The model refused to answer.'
    case 'content_filtered':
    case 'guardrail_intervened':
      return 'A filter of the provider stopped the answer.'
    case 'context_window_exceeded':
      return 'The conversation has become too long for the model. Start a new one.'
    default:
      return `Stopped: ${stopReason}.`
  }
}
