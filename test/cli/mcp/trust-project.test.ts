import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linesOf, oddProgram } from '../../mcp/support/odd.ts'
import { mcpWorld, write } from './support/mcp-world.ts'

describe('lena mcp trust', { timeout: 30_000 }, () => {
  it('trusts the file as it is now, and shows what that means, without starting anything', async () => {
    const { mcp, projectFile, workspace } = await mcpWorld()
    const starts = join(workspace, 'starts')
    const server = oddProgram({ starts })
    await write(projectFile, { mcpServers: { odd: { ...server, env: { A: 'b' } } } })
    const { code, stdout } = await mcp('trust')
    expect([code, stdout.split('\n').slice(1)]).toEqual([
      0,
      ['    with A=b', `${projectFile} is trusted until it changes. \`lena mcp untrust\` takes that back.`, ''],
    ])
    expect(stdout).toMatch(/^ {2}odd: runs \S+node /)
    expect((await mcp('list')).stdout).toContain('  used  ')
    await write(projectFile, { mcpServers: { odd: server } })
    expect((await mcp('list')).stdout).toContain('  not trusted  ')
    expect(await linesOf(starts)).toEqual([])
  })

  it('is taken back by untrust', async () => {
    const { mcp, projectFile } = await mcpWorld()
    await write(projectFile, { mcpServers: { a: { command: 'a' } } })
    const trusted = await mcp('trust', '-o', 'json')
    expect(JSON.parse(trusted.stdout)).toEqual({
      path: projectFile,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      servers: ['a'],
    })
    expect((await mcp('untrust')).stdout).toBe(`${projectFile} is no longer trusted.\n`)
    expect((await mcp('untrust')).stdout).toBe(`${projectFile} is not trusted.\n`)
    expect((await mcp('list')).stdout).toContain('  not trusted  ')
  })

  it('trusts nothing that cannot be read', async () => {
    const { mcp, projectFile } = await mcpWorld()
    await write(projectFile, '{')
    await expect(mcp('trust')).rejects.toThrow(`The MCP configuration ${projectFile} is no JSON`)
  })
})
