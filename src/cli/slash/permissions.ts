import { permissionModes } from '../args.ts'
import type { Permissions, Rule } from '../../permissions/index.ts'
import { forgetRules, rememberedPath, rememberedRules } from '../remembered-rules.ts'
import { showControls } from '../sanitise.ts'
import { UsageError } from '../usage-error.ts'
import type { SlashCommand, Talk } from './slash-command.ts'

const forms = 'Write /permissions, /permissions MODE, /permissions allow RULE, /permissions deny RULE, or /permissions forget.'

export const permissions: SlashCommand = {
  name: 'permissions',
  argument: '[MODE | allow RULE | deny RULE | forget]',
  help: 'what runs without a question, and what never runs',
  async run(talk, argument) {
    const { permissions: gate, out, io, workspace } = talk
    const [word = '', ...rest] = argument.split(/\s+/)
    const mode = permissionModes.find((each) => each === word.replaceAll('-', '_'))
    if (mode && rest.length === 0) gate.mode = mode
    else if ((word === 'allow' || word === 'deny') && rest.length > 0) gate.add(`${word} ${argument.slice(word.length).trim()}`)
    else if (word === 'forget' && rest.length === 0) {
      await forgetRules(io, workspace)
      out.line('What was answered with "always" before is forgotten, from the next conversation on.')
      return
    } else if (word !== '') throw new UsageError(`/permissions does not understand ${JSON.stringify(argument)}. ${forms}`)
    await show(talk, gate)
  },
  completions: () => [...permissionModes, 'allow', 'deny', 'forget'],
}

async function show({ out, io, workspace }: Talk, { mode, rules }: Permissions): Promise<void> {
  out.line(`Mode ${mode}. ${rules.length === 0 ? 'There are no rules.' : 'Rules:'}`)
  for (const rule of rules) out.line(`  ${textOf(rule)}`)
  const remembered = await rememberedRules(io, workspace)
  if (remembered.length > 0)
    out.line(showControls(`${remembered.length} of them answered with "always", kept in ${rememberedPath(io, workspace)}.`))
}

const textOf = ({ decision, tool, pattern }: Rule): string =>
  showControls(`${decision} ${tool}${pattern === undefined ? '' : `(${pattern})`}`)
