import type { JsonValue } from '../../index.ts'
import type { McpElicitation, McpElicitationAnswer } from '../../mcp/index.ts'
import { visible } from '../trust/visible.ts'
import { fieldsOf } from './field.ts'
import type { Field } from './field.ts'
import { headOf } from './head.ts'
import type { Sitting } from './sitting.ts'

type Answers = Map<Field, JsonValue>
/** What ends the questions before they are all answered. */
type Ending = 'decline' | 'cancel'

/** Asks for the fields of a form one by one, and shows all before they are sent. */
export async function askForm(question: McpElicitation & { readonly mode: 'form' }, sitting: Sitting): Promise<McpElicitationAnswer> {
  const { style } = sitting
  const fields = fieldsOf(question.requestedSchema)
  const named = fields.map(({ title, isRequired }) => `${title}${isRequired ? '' : ' (optional)'}`).join(', ')
  const about = fields.length === 0 ? '' : sitting.rows(`It wants: ${visible(named, 400)}`, { first: '    ', paint: style.dim })
  const choices = { [fields.length === 0 ? 'yes' : 'answer']: 'answer', decline: 'decline', cancel: 'cancel' } as const
  const begun = await choose(sitting, `${headOf(question, sitting)}${about}`, choices)
  if (begun !== 'answer') return { action: begun ?? 'cancel' }
  if (fields.length === 0) return { action: 'accept', content: {} }
  const answers: Answers = new Map()
  for (;;) {
    const ending = await fillIn(fields, answers, sitting)
    if (ending !== undefined) return { action: ending }
    const content = Object.fromEntries([...answers].map(([{ name }, value]) => [name, value]))
    // One answer stands in plain sight already.
    if (fields.length === 1) return { action: 'accept', content }
    const lines = [...answers].map(([{ title }, value]) => sitting.rows(`${title}: ${shown(value)}`, { first: '    ' })).join('')
    const sent = `  ${style.dim(`${visible(question.server, 80)} gets:`)}\n${lines || '    nothing\n'}`
    const next = await choose(sitting, sent, { send: 'send', edit: 'edit', decline: 'decline', cancel: 'cancel' } as const)
    if (next === 'send') return { action: 'accept', content }
    if (next !== 'edit') return { action: next ?? 'cancel' }
  }
}

/** Asks with a word, or some, for each choice, until it is the first of them or its letter. */
export async function choose<T extends string>(
  sitting: Sitting,
  text: string,
  choices: Readonly<Record<string, T>>,
): Promise<T | undefined> {
  const words = Object.keys(choices)
  const asked = words.map((word) => `[${word[0]}]${word.slice(1)}`).join(' / ')
  for (let before = text, prompt = `  ${asked}: `; ; before = '', prompt = `  Please answer ${words.map((word) => word[0]).join(', ')}: `) {
    const said = (await sitting.ask(before, prompt))?.toLowerCase()
    if (said === undefined) return undefined
    const word = words.find((each) => said === each || said === each.split(/\W/)[0] || said === each[0])
    if (word !== undefined) return choices[word]
  }
}

async function fillIn(fields: readonly Field[], answers: Answers, sitting: Sitting): Promise<Ending | undefined> {
  const { style } = sitting
  const help = 'Enter takes what stands in [ ]. /decline, /cancel end it. Type no password.'
  let text = sitting.rows(help, { first: '  ', paint: style.dim })
  for (const [at, field] of fields.entries()) {
    const before = answers.get(field) ?? field.default
    const named = `${field.title}${field.description === '' ? '' : `: ${field.description}`}`
    text += rowsAfter(sitting, `  ${at + 1}/${fields.length} `, named)
    for (const [i, { title }] of field.choices.entries()) text += rowsAfter(sitting, `    ${i + 1}. `, title)
    const otherwise = before !== undefined ? ` [${shown(before)}]` : field.isRequired ? '' : ' [leave it out]'
    for (;;) {
      const typed = await sitting.ask(text, `  ${field.hint}${otherwise}: `)
      if (typed === undefined || typed === '/cancel') return 'cancel'
      if (typed === '/decline') return 'decline'
      if (typed === '') {
        if (before !== undefined) answers.set(field, before)
        if (before !== undefined || !field.isRequired) break
      }
      const read = typed === '' ? { problem: 'It is needed.' } : field.read(typed)
      if ('value' in read) {
        answers.set(field, read.value)
        break
      }
      text = sitting.rows(read.problem, { first: '    ', paint: style.yellow })
    }
    text = ''
  }
  return undefined
}

const rowsAfter = (sitting: Sitting, first: string, text: string): string => sitting.rows(text, { first, rest: ' '.repeat(first.length) })

const shown = (value: JsonValue): string =>
  visible(typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value), 200)
