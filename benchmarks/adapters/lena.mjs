// Lena in the peer benchmark: one file, as any application would use the package.
import { Agent, jsonSchema, tool } from 'lena-agent'
import { openai } from 'lena-agent/openai'

export const packages = ['lena-agent']
export const protocols = ['openai']

export async function createAgent({ baseURL, system, tools }) {
  const agent = new Agent({
    model: openai('mock', { baseURL: `${baseURL}/v1`, apiKey: 'x' }),
    instructions: system,
    maxConcurrency: 128,
    // The benchmark's tools only read, and may run side by side.
    tools: tools.map(({ name, description, parameters, execute }) => tool({ name, description, inputSchema: jsonSchema(parameters), isReadOnly: true, isConcurrencySafe: true, execute })),
  })
  return {
    async run(prompt, { signal, onText } = {}) {
      const onEvent = onText && ((event) => event.type === 'text_delta' && onText(event.text))
      const result = await agent.invoke(prompt, { signal, onEvent: onEvent && ((event) => void onEvent(event)) })
      return result.text
    },
  }
}
