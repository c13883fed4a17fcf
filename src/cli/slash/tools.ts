import { withoutControls } from '../sanitise.ts'
import type { SlashCommand } from './slash-command.ts'

export const tools: SlashCommand = {
  name: 'tools',
  help: 'the tools, their flags and budgets',
  async run({ agent, out, signal }) {
    // Those of servers are known once they have answered.
    const { toolsShown, toolTable } = await import('../list-tools.ts')
    await agent.ready({ signal })
    out.write(withoutControls(toolTable(toolsShown(agent.tools.names.map((name) => agent.tools.get(name)!)), out.wrapWidth)))
  },
}
