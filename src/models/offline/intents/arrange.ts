import { run, shellWord } from '../acts/shell.ts'
import { code } from '../language/english.ts'
import { gap } from '../language/quotes.ts'
import { failed } from '../site.ts'
import type { Intent, Task } from './intent.ts'
import { pathIn } from './write.ts'

const name = '(\\uE000\\d+\\uE001|[^\\s,;:]*[^\\s,;:.?!])'
const kind = '(?:(?:the|a|an|my)\\s+)?(?:new\\s+)?((?:file|folder|directory|dir|subfolder)\\s+)?(?:(?:called|named)\\s+)?'
const two = (verbs: string): RegExp => new RegExp(`^\\W*(?:${verbs})\\s+${kind}${name}\\s+(?:to|into|as)\\s+${kind}${name}[.?!]*$`, 'i')
const one = (verbs: string): RegExp => new RegExp(`^\\W*(?:${verbs})\\s+${kind}${name}[.?!]*$`, 'i')

const forms: readonly { readonly form: RegExp; readonly command: string; readonly aim: string; readonly done: string }[] = [
  { form: two('copy|cp|duplicate'), command: 'cp -R --', aim: 'copy', done: 'copied' },
  { form: two('move|rename|mv'), command: 'mv --', aim: 'move', done: 'moved' },
  { form: one('delete|remove|rm'), command: 'rm --', aim: 'delete', done: 'deleted' },
  {
    form: new RegExp(
      `^\\W*(?:create|make|add)\\s+(?:(?:the|a|an|my)\\s+)?(?:new\\s+|empty\\s+)*((?:folder|directory|dir|subfolder)\\s+)(?:(?:called|named)\\s+)?${name}[.?!]*$`,
      'i',
    ),
    command: 'mkdir -p --',
    aim: 'create the folder',
    done: 'created the folder',
  },
]

/** Copy, move, delete, make a folder: no tool of its own, so the shell does it. */
export const arrange: Intent = {
  name: 'arrange',
  examples: ['copy a.txt to b.txt'],
  group: 'Change files',
  tools: ['shell'],
  starts: 'copy|move|rename|delete|remove|(?:create|make) (?:a |the )?(?:new )?(?:folder|directory)',
  recognise: (phrase, talk) => {
    const words = phrase.text.replaceAll(gap, ' ').trim()
    for (const { form, command, aim, done } of forms) {
      const match = form.exec(words)
      if (!match) continue
      const first = pathIn(match[2], match[1], phrase, talk)
      const second = match.length > 3 ? pathIn(match[4], match[3] ?? 'file', phrase, talk) : undefined
      if (first === undefined || (match.length > 3 && second === undefined)) return undefined
      phrase.takeAll()
      const line = `${command} ${[first, second]
        .filter((path) => path !== undefined)
        .map(shellWord)
        .join(' ')}`
      return shellTask(
        second === undefined ? line : unlessThere(second, line),
        `${aim} ${code(first)}${second === undefined ? '' : ` to ${code(second)}`}`,
        `${done} ${code(first)}${second === undefined ? '' : ` to ${code(second)}`}`,
      )
    }
    return undefined
  },
}

/** Both commands would overwrite a file without a word. */
const unlessThere = (path: string, command: string): string =>
  `if [ -f ${shellWord(path)} ]; then echo ${shellWord(`${path} exists already.`)}; false; else ${command}; fi`

const shellTask = (command: string, aim: string, did: string): Task => ({
  aim,
  acts: 'runs',
  work: function* (site) {
    const ran = yield* run(site, command, aim, 'acts')
    if (!ran.ok) return failed(ran.said)
    const { exitCode, output } = ran.value
    return exitCode === 0
      ? { say: `I ${did}.`, value: output, exitCode }
      : { ...failed(`I could not ${aim}: ${output || `exit code ${exitCode ?? 'unknown'}`}`), exitCode }
  },
})
