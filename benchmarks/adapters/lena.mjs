// Lena in the peer benchmark: one file, as any application would use the package.
import { Agent, jsonSchema, tool } from 'lena-agent'

export const packages = ['lena-agent']
export const protocols = ['openai', 'anthropic']

// An application imports the one provider that it uses.
const { openai } = process.env.BENCH_PROTOCOL === 'anthropic' ? {} : await import('lena-agent/openai')
const { anthropic } = process.env.BENCH_PROTOCOL === 'anthropic' ? await import('lena-agent/anthropic') : {}

export const createAgent = (options) => createAgentWith(options, () => {})

/** `prepare` gets the agent before its first run; `more` are options of its own. */
export async function createAgentWith({ baseURL, protocol, system, tools }, prepare, more = {}) {
  const agent = new Agent({
    model:
      protocol === 'anthropic'
        ? anthropic('mock', { baseURL, apiKey: 'x', maxTokens: 4096 })
        : openai('mock', { baseURL: `${baseURL}/v1`, apiKey: 'x' }),
    instructions: system,
    maxConcurrency: 128,
    // The benchmark's tools only read, and may run side by side.
    tools: tools.map(({ name, description, parameters, execute }) =>
      tool({ name, description, inputSchema: jsonSchema(parameters), isReadOnly: true, isConcurrencySafe: true, execute }),
    ),
    ...more,
  })
  prepare(agent)
  return {
    async run(prompt, { signal, onText } = {}) {
      const onEvent = onText && ((event) => event.type === 'text_delta' && onText(event.text))
      const result = await agent.invoke(prompt, { signal, onEvent: onEvent && ((event) => void onEvent(event)) })
      return result.text
    },
  }
}
