import { join } from 'node:path'
import type { AskOptions } from './ask.ts'
import { Place } from './conversation/place.ts'
import { takeLine } from './conversation/take-line.ts'
import type { During, Sitting } from './conversation/take-line.ts'
import { elicitAtTerminal } from './elicitation/at-terminal.ts'
import { Turns } from './elicitation/turns.ts'
import { stateFolder } from './folders.ts'
import { codeOfCause, exitCodes } from './exit-code.ts'
import { LineReader } from './line-reader.ts'
import { modelNote } from './named-model.ts'
import { notesTo } from './notes.ts'
import type { TaskRun } from './run-task.ts'
import { modelFor, serversFor, sessionOptions, settingsFor, traceFor } from './run-task.ts'
import { showControls } from './sanitise.ts'
import { completionsFor } from './screen/complete.ts'
import { fileHistory } from './screen/history.ts'
import { SeenChanges } from './screen/seen-changes.ts'
import { wrapText } from './screen/wrap.ts'
import { slashCompletions } from './slash/index.ts'
import type { Stop } from './stop.ts'
import { watchForStop } from './stop.ts'
import { styleFor } from './style.ts'
import { askTrustAtTerminal } from './trust/ask-trust.ts'
import { version } from './version.ts'

/** Line by line with the person at the terminal, until they leave. Gives the exit code. */
export async function converse(run: Omit<TaskRun, 'stop'>): Promise<number> {
  const { io, out, err, options, workspace } = run
  const style = styleFor(io.stdout, io.env)
  const reader = new LineReader(io.stdin, io.stdout, {
    env: io.env,
    history: fileHistory(join(stateFolder(io), 'history.jsonl')),
    completions: completionsFor({ lines: slashCompletions, workspace }),
    suspend: io.suspend,
    onSuspend: io.onSuspend,
  })
  // On the same terminal; a stream that goes elsewhere does not disturb what is typed.
  const aside = err.isTTY ? (write: () => void): void => reader.aside(write) : undefined
  const notes = notesTo(err, { style: styleFor(io.stderr, io.env), quiet: options.quiet, out, aside })
  let stop: Stop | undefined
  const during: During = async (work) => {
    stop = watchForStop(io, out)
    try {
      return { value: await work(stop), stop }
    } finally {
      stop.dispose()
    }
  }
  const seen = new SeenChanges()
  const asking: AskOptions = { reader, to: out, held: [out, err], style, workspace, seen, interrupt: () => stop?.interrupt() }

  const turns = new Turns()
  const elicit = elicitAtTerminal({ ...asking, turns, warn: (text) => notes.warn(text) })

  const begun = await during(async ({ signal }) => {
    const ask = askTrustAtTerminal(asking)
    const settings = await settingsFor(run, notes, { ask, signal })
    const servers = await serversFor(run, settings, { notes, ask, elicit, signal, startsLater: true })
    const wanted = sessionOptions(options, settings)
    // A new one is made with the agent: the first screen does not wait for what keeps it.
    const isOld = wanted.session && (wanted.continue || wanted.resume !== undefined)
    const chosen = isOld
      ? await (await import('./sessions/choose-session.ts')).chooseSession(io, workspace, wanted, { notes, picker: { reader, out } })
      : undefined
    return { settings, servers, chosen, isKept: wanted.session, model: await modelFor(run, settings) }
  })
  if (begun.stop.cause) return codeOfCause[begun.stop.cause]
  const { settings, servers, chosen: goesOn, isKept, model } = begun.value
  const maxTurns = settings.values['limits.turns']!
  await using at = new Place(
    { run, notes, asking, settings, servers, trace: traceFor(run) },
    { model, session: goesOn?.session ?? (isKept ? 'new' : undefined) },
  )
  // Now, not at the first line: a wrong name or a missing key is told before anything was typed.
  if (model.name !== 'offline' || io.modelOf) await (await import('./check-model.ts')).checkModel(io, model.name)
  if (goesOn) await at.open()

  const named = goesOn ? `, session ${goesOn.session.id}` : ''
  const say = (text: string): void => {
    for (const row of wrapText(text, out.wrapWidth)) out.line(style.dim(row))
  }
  say(`Lena ${version}, model ${showControls(model.name)}, in ${showControls(workspace)}${named}. /help for help, Ctrl-D to leave.`)
  if (goesOn) say(`Going on with: ${goesOn.title} (${at.agent.messages.length} messages)`)
  const note = modelNote(model)
  if (note !== undefined) notes.note(note)
  using _keyboard = { [Symbol.dispose]: reader.hold({ interrupt: () => stop?.interrupt(), lost: () => stop?.hangUp() }) }
  // The first screen does not wait for the tools: they are made while a person reads it.
  const failed = new AbortController()
  at.openSoon(() => failed.abort())
  const sitting: Sitting = { run, at, reader, notes, style, seen, turns, maxTurns, during }
  for (;;) {
    const { value: line, stop: atPrompt } = await during(({ signal }) =>
      reader.read({ prompt: `${style.bold('>')} `, signal: AbortSignal.any([signal, failed.signal]) }),
    )
    if (failed.signal.aborted) await at.open()
    if (atPrompt.cause && atPrompt.cause !== 'interrupt') return codeOfCause[atPrompt.cause]
    if (line.kind !== 'line') return exitCodes.done
    const prompt = line.text.trim()
    if (prompt === '') continue
    const { value: isOpen, stop: inOpening } = await during(({ signal }) => at.opened(signal))
    if (inOpening.cause && inOpening.cause !== 'interrupt') return codeOfCause[inOpening.cause]
    if (!isOpen) continue
    const code = await takeLine(prompt, sitting)
    if (code !== undefined) return code
  }
}
