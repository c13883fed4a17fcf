import type { Report } from './carry-out.ts'
import { intents } from './intents/index.ts'
import { abilities, howToGetMore, whatItIs } from './intents/help.ts'
import { listed, shortened } from './language/english.ts'

const maxQuoted = 5

/** The answer to a request: what was found, then what was not understood of it. */
export function answerOf(reports: readonly Report[], attachments: number, tools: ReadonlySet<string>): string {
  const parts: string[] = []
  for (const { step, finding } of reports) {
    const said = finding ? notSaidYet(finding.say, parts) : ''
    if (said !== '') parts.push(said)
    if (step.leftOut.length > 0) parts.push(`(I did not understand ${quoted(step.leftOut)} and left it out.)`)
  }
  if (attachments > 0)
    parts.push(`I cannot look at ${attachments === 1 ? 'the image or document' : 'the images or documents'} that came with your message.`)
  const missed = reports.filter(({ step }) => step.task === undefined).map(({ step }) => step.said)
  if (missed.length > 0 && missed.length === reports.length)
    parts.push(
      `I did not understand ${missed.length > maxQuoted ? 'this' : quoted(missed)}.`,
      whatItIs,
      abilities(tools, intents),
      howToGetMore,
    )
  else if (missed.length > 0)
    parts.push(
      `I did not understand ${quoted(missed)}, so I left that out. I am the built-in offline model, a small set of rules; say \`help\` to see what I understand. ${howToGetMore}`,
    )
  if (parts.length > 0) return parts.join('\n\n')
  const value = reports.findLast(({ finding }) => finding?.value)?.finding?.value
  return value === undefined ? `${whatItIs}\n\n${abilities(tools, intents)}\n\n${howToGetMore}` : value
}

/** Two steps may fail for one reason: it is told once. */
function notSaidYet(say: string, parts: readonly string[]): string {
  if (parts.includes(say)) return ''
  const begins = parts.find((part) => say.startsWith(`${part}\n\n`))
  return begins === undefined ? say : say.slice(begins.length + 2)
}

function quoted(pieces: readonly string[]): string {
  const shown = pieces.slice(0, maxQuoted).map((piece) => `“${shortened(piece, 80)}”`)
  return pieces.length > maxQuoted ? `${shown.join(', ')} and ${pieces.length - maxQuoted} more` : listed(shown)
}
