import type { SlashCommand } from './slash-command.ts'

export const exit: SlashCommand = { name: 'exit', aliases: ['quit'], help: 'leave', run: () => 'leave' }
