import { run } from '../acts/shell.ts'
import { code } from '../language/english.ts'
import { failed } from '../site.ts'
import type { Intent, Task } from './intent.ts'

const time =
  /^\W*(?:what(?:'s|’s| is)?|which|tell|show|give|say|get|print|do you (?:have|know))?\s*(?:me\s+)?(?:is\s+)?(?:the\s+)?(?:(?:current|local|exact)\s+)?(?:date and (?:the\s+)?time|time and (?:the\s+)?date|date|time|day|today's date|today’s date|weekday|year|month|timestamp)(?:\s+(?:is it|today|now|is today|it is|of today|is))*(?:\s+(?:right\s+)?now|\s+today)?\W*$/i
const place =
  /^\W*(?:where (?:am i|are we)|(?:what|which|tell me|show me|show|print|give me|give)(?:'s|’s| is)?\s*(?:the\s+|my\s+)?(?:(?:current|working|present)\s+)+(?:folder|directory|dir|path)(?:\s+(?:am i in|is this))?|(?:what|which)\s+(?:folder|directory)\s+(?:am i in|is this|are we in))\W*$/i

/** Time and place: only the system knows them, so the shell is asked. */
export const date: Intent = {
  name: 'date',
  examples: ['what time is it?'],
  group: 'Run commands',
  tools: ['shell'],
  starts: 'what time|what day|what date|what is the (?:time|date)|the (?:date|time)|where am i',
  recognise: (phrase) => {
    if (phrase.take(time)) return ask('date', 'tell the time', (output) => `It is ${output}.`)
    if (phrase.take(place)) return ask('pwd', 'tell the working folder', (output) => `The working folder is ${code(output)}.`)
    return undefined
  },
}

const ask = (command: string, aim: string, said: (output: string) => string): Task => ({
  aim,
  work: function* (site) {
    const ran = yield* run(site, command, aim, 'looks')
    if (!ran.ok) return failed(ran.said)
    const { exitCode, output } = ran.value
    return exitCode === 0 && output !== ''
      ? { say: said(output), value: output }
      : failed(`${code(command)} did not tell (exit code ${exitCode ?? 'unknown'}).`)
  },
})
