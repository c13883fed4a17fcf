import { expect, onTestFinished } from 'vitest'
import { Agent, check } from 'lena-agent'
import type { AgentEvent, ToolResultBlock } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import type { McpClientOptions, McpClientSettings } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import type { ScriptedAnswer } from 'lena-agent/testing'

const settings: McpClientSettings = {
  name: 'everything',
  elicitation: ({ mode }) => ({ action: mode === 'form' ? 'accept' : 'decline', content: { name: 'Ada' } }),
  sampling: () => ({ role: 'assistant', content: { type: 'text', text: 'A sample.' }, model: 'm' }),
  roots: [{ uri: 'file:///work', name: 'work' }],
}

type Calls = NonNullable<ScriptedAnswer['calls']>

const calls: Calls = [
  { name: 'echo', input: { message: 'hello' } },
  { name: 'get-sum', input: { a: 2, b: 3 } },
  { name: 'get-annotated-message', input: { messageType: 'success', includeImage: true } },
  { name: 'get-env', input: {} },
  { name: 'get-resource-links', input: { count: 2 } },
  { name: 'get-resource-reference', input: { resourceType: 'Text', resourceId: 1 } },
  { name: 'get-structured-content', input: { location: 'New York' } },
  { name: 'get-tiny-image', input: {} },
  { name: 'get-roots-list', input: {} },
  { name: 'gzip-file-as-resource', input: { name: 'a.txt.gz', data: 'data:text/plain,hello', outputType: 'resource' } },
  { name: 'toggle-simulated-logging', input: {} },
  { name: 'toggle-subscriber-updates', input: {} },
  { name: 'trigger-elicitation-request', input: {} },
  { name: 'trigger-url-elicitation', input: { url: 'https://example.com/login' } },
  { name: 'trigger-sampling-request', input: { prompt: 'Say something.' } },
  { name: 'trigger-long-running-operation', input: { duration: 0.2, steps: 2 } },
  { name: 'simulate-research-query', input: { topic: 'tea' } },
]

/** Has an agent call every tool of the reference server, and reads its resources and prompts. Gives what the agent says at the end. */
export async function driveEverything(options: McpClientOptions): Promise<string> {
  const client = new McpClient({ ...options, ...settings })
  onTestFinished(() => client.close())
  const agent = new Agent({ model: scriptedModel({ calls }, { text: 'All done.' }), tools: [client] })
  onTestFinished(() => agent.close())
  const events: AgentEvent[] = []
  const result = await agent.invoke('Try everything.', { onEvent: (event) => void events.push(event) })
  expect(result.text).toBe('All done.')
  expect(check(agent.messages)).toEqual([])

  const blocks = agent.messages.flatMap(({ content }) => content.filter((block): block is ToolResultBlock => block.type === 'tool_result'))
  const results = new Map(calls.map(({ name }, index) => [name, blocks[index]!]))
  const said = (name: string): string => JSON.stringify(results.get(name)!.content)
  expect([...results].filter(([, { status }]) => status === 'error').map(([name]) => `${name}: ${said(name)}`)).toEqual([])
  expect(calls.map(({ name }) => name).toSorted()).toEqual(agent.tools.names.toSorted())
  expect(said('echo')).toContain('Echo: hello')
  expect(said('get-sum')).toContain('The sum of 2 and 3 is 5')
  expect(results.get('get-annotated-message')!.content.map(({ type }) => type)).toEqual(['text', 'image'])
  expect(said('get-resource-links')).toMatch(/\[resource demo:\/\/resource/)
  expect(results.get('get-structured-content')!.structuredContent).toEqual({ temperature: 33, conditions: 'Cloudy', humidity: 82 })
  expect(results.get('get-tiny-image')!.content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
  expect(said('get-roots-list')).toContain('file:///work')
  expect(said('trigger-elicitation-request')).toContain('Ada')
  expect(said('trigger-url-elicitation')).toMatch(/decline/i)
  expect(said('gzip-file-as-resource')).toContain('a.txt.gz')
  expect(said('trigger-sampling-request')).toContain('A sample.')
  expect(said('simulate-research-query')).toContain('# Research Report: tea')

  const progress = events.flatMap((event) => (event.type === 'tool_progress' ? [event.value] : []))
  expect(progress).toContainEqual({ progress: 2, total: 2 })
  expect(progress).toContainEqual(expect.objectContaining({ message: 'Generating report...' }))

  const resources = await client.resources.list()
  expect(resources.length).toBeGreaterThan(0)
  expect(await client.resources.read(resources[0]!.uri)).toEqual([expect.objectContaining({ uri: resources[0]!.uri })])
  expect((await client.resources.templates()).map(({ uriTemplate }) => uriTemplate)).toContain('demo://resource/dynamic/text/{resourceId}')
  expect((await client.prompts.list()).map(({ name }) => name)).toContain('args-prompt')
  expect(await client.prompts.get('args-prompt', { city: 'Paris' })).toEqual([
    { role: 'user', content: [{ type: 'text', text: "What's weather in Paris?" }] },
  ])
  return result.text
}
