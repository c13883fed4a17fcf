import { showControls } from '../sanitise.ts'
import { counted } from '../tool-line.ts'
import type { SlashCommand } from './slash-command.ts'

export const cost: SlashCommand = {
  name: 'cost',
  help: 'what the models have used since the program began, and what that costs',
  run({ out, tally }) {
    if (tally.spent.length === 0) out.line('Nothing was used yet.')
    for (const { model, calls, usage, cost: dollars } of tally.spent) {
      const { inputTokens, outputTokens, cacheReadTokens = 0 } = usage
      const number = (count: number): string => count.toLocaleString('en-US')
      const cached = cacheReadTokens > 0 ? ` (${number(cacheReadTokens)} of them from the cache)` : ''
      const price = dollars === undefined ? 'its prices are not known' : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`
      out.line(
        showControls(
          `${model}: ${counted(calls, 'answer')}, ${number(inputTokens)} tokens in${cached}, ${number(outputTokens)} out; ${price}.`,
        ),
      )
    }
  },
}
