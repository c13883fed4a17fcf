import type { Tool, ToolConsumer, ToolProvider } from '../../index.ts'
import type { McpClient } from '../../mcp/index.ts'

type LoadOptions = Parameters<ToolProvider['loadTools']>[0]

/**
 * A server that is started when an agent makes itself ready, and waited for when its first task begins: what a person sees first
 * does not depend on how long a server takes.
 */
export class LaterProvider implements ToolProvider {
  readonly name: string
  readonly #client: McpClient
  /** Agents that have not asked a first time. */
  readonly #fresh = new Set<ToolConsumer>()

  constructor(client: McpClient) {
    this.name = client.name
    this.#client = client
  }

  addConsumer(consumer: ToolConsumer): void {
    this.#fresh.add(consumer)
    this.#client.addConsumer(consumer)
  }

  async removeConsumer(consumer: ToolConsumer): Promise<void> {
    this.#fresh.delete(consumer)
    await this.#client.removeConsumer(consumer)
  }

  async loadTools(options: LoadOptions): Promise<readonly Tool[]> {
    if (this.#fresh.size === 0) return await this.#client.loadTools(options)
    const consumers = [...this.#fresh]
    this.#fresh.clear()
    // What goes wrong is told when the tools are loaded.
    void this.#client.connect().catch(() => {})
    for (const consumer of consumers) consumer.toolsChanged()
    return []
  }
}
