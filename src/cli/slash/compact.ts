import type { SlashCommand } from './slash-command.ts'

export const compact: SlashCommand = {
  name: 'compact',
  argument: '[FOCUS]',
  help: 'put a summary in the place of the older messages; FOCUS: what must not get lost',
  async run({ agent, out, signal }, argument) {
    const { changed, tokensBefore, tokensAfter } = await agent.compact({ signal, ...(argument !== '' && { focus: argument }) })
    const said = (tokens: number): string => `about ${tokens.toLocaleString('en-US')} tokens`
    out.line(
      changed
        ? `The conversation had ${said(tokensBefore)}, now ${said(tokensAfter)}.`
        : `There is nothing to shorten: ${said(tokensBefore)}.`,
    )
  },
}
