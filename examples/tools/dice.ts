import { tool } from 'lena-agent'
import { z } from 'zod'

export const rollDice = tool({
  name: 'roll_dice',
  description: 'Rolls dice.',
  inputSchema: z.object({ count: z.number().int().min(1).max(10).describe('how many') }),
  execute: ({ count }) => Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6)),
})
