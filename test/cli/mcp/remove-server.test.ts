import { describe, expect, it } from 'vitest'
import { jsonIn, mcpWorld, write } from './support/mcp-world.ts'

describe('lena mcp remove', { timeout: 30_000 }, () => {
  it('takes a server out of the file that names it, and leaves the others', async () => {
    const { mcp, userFile } = await mcpWorld()
    await write(userFile, { more: 1, mcpServers: { a: { command: 'a', x: 1 }, b: { command: 'b' } } })
    expect(await mcp('remove', 'b')).toEqual({ code: 0, stdout: `Removed b from ${userFile}.\n`, stderr: '' })
    expect(await jsonIn(userFile)).toEqual({ more: 1, mcpServers: { a: { command: 'a', x: 1 } } })
    expect(JSON.parse((await mcp('remove', 'a', '-o', 'json')).stdout)).toEqual({ name: 'a', scope: 'user', path: userFile })
    expect(await jsonIn(userFile)).toEqual({ more: 1, mcpServers: {} })
  })

  it('asks which one is meant when there are two', async () => {
    const { mcp, userFile, projectFile } = await mcpWorld()
    await write(userFile, { mcpServers: { a: { command: 'a' } } })
    await write(projectFile, { mcpServers: { a: { command: 'a' } } })
    await expect(mcp('remove', 'a')).rejects.toThrow('Say which with --scope user or --scope project.')
    await mcp('remove', 'a', '--scope', 'user')
    expect([await jsonIn(userFile), await jsonIn(projectFile)]).toEqual([{ mcpServers: {} }, { mcpServers: { a: { command: 'a' } } }])
    await expect(mcp('remove', 'a', '--scope', 'user')).rejects.toThrow('There is no MCP server "a" in the file of the user.')
  })

  it('says which there are', async () => {
    const { mcp, userFile } = await mcpWorld()
    await write(userFile, { mcpServers: { github: { command: 'a' } } })
    await expect(mcp('remove', 'gihtub')).rejects.toThrow('There is no MCP server "gihtub". Did you mean github? There are: github.')
  })
})
