import type { SlashCommand } from './slash-command.ts'

export const clear: SlashCommand = {
  name: 'clear',
  aliases: ['new'],
  help: 'begin a new conversation; the old one is kept',
  async run(talk) {
    const old = talk.session
    const isKept = old !== undefined && talk.agent.messages.length > 0
    await talk.goOn({ session: 'new' })
    talk.out.line(`A new conversation.${isKept ? ` The old one: /sessions ${old.id}` : ''}`)
  },
}
