import { mcpFiles } from '../mcp/config-files.ts'
import { serversOf } from '../mcp/servers-of.ts'
import { counted } from '../tool-line.ts'
import { trustStore } from '../trust/trust-store.ts'
import type { Check, Finding } from './finding.ts'

/** Which servers are configured, and whether their files can be read. Nothing is started: `lena mcp test` does that. */
export const mcp: Check = async ({ io, workspace }) => {
  const { files, problems } = await mcpFiles({ io, workspace, given: [] })
  const store = trustStore(io)
  const findings: Finding[] = problems.map((said) => ({ state: 'note', about: 'MCP', said }))
  const used: (typeof files)[number][] = []
  for (const file of files) {
    if (!file.project || (await store.isTrusted(file.project))) used.push(file)
    else findings.push({ state: 'note', about: 'MCP', said: `${file.path} is not trusted: \`lena mcp trust\`` })
  }
  const names = serversOf(used).map(({ name }) => name)
  if (names.length > 0)
    findings.push({
      state: 'good',
      about: 'MCP',
      said: `${counted(names.length, 'server')}: ${names.join(', ')} (\`lena mcp test\` tries them)`,
    })
  return findings
}
