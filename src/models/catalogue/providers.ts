/** A provider that the name of a model can begin with. */
export type ProviderInfo = {
  readonly name: string
  readonly about: string
  /** The environment variables with its key: one of them is enough. None where no key is needed. */
  readonly variables: readonly string[]
  /** The model to take when only the provider is known. Left out where there is none that everybody can use. */
  readonly defaultModel?: string | undefined
}

/**
 * The providers that a model can be named of, in the order in which a key in the environment chooses one: the makers of
 * models, then those who serve the models of others, then servers on this machine.
 *
 * The default models are as of November 2026: of each maker the one that it names for everyday work.
 */
export const providers: readonly ProviderInfo[] = [
  { name: 'anthropic', about: 'Claude', variables: ['ANTHROPIC_API_KEY'], defaultModel: 'claude-sonnet-5-5' },
  { name: 'openai', about: 'GPT', variables: ['OPENAI_API_KEY'], defaultModel: 'gpt-6.1-terra' },
  { name: 'google', about: 'Gemini', variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], defaultModel: 'gemini-3.8-flash' },
  { name: 'mistral', about: 'Mistral', variables: ['MISTRAL_API_KEY'], defaultModel: 'mistral-medium-3.5' },
  { name: 'xai', about: 'Grok', variables: ['XAI_API_KEY'], defaultModel: 'grok-4.7' },
  { name: 'deepseek', about: 'DeepSeek', variables: ['DEEPSEEK_API_KEY'], defaultModel: 'deepseek-flash' },
  { name: 'openrouter', about: 'models of all makers', variables: ['OPENROUTER_API_KEY'], defaultModel: 'openrouter/auto' },
  { name: 'groq', about: 'open models, served fast', variables: ['GROQ_API_KEY'] },
  { name: 'together', about: 'open models', variables: ['TOGETHER_API_KEY'] },
  { name: 'azure', about: 'deployments of Azure OpenAI', variables: ['AZURE_OPENAI_API_KEY'] },
  { name: 'bedrock', about: 'models on Amazon Bedrock', variables: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_PROFILE'] },
  { name: 'ollama', about: 'Ollama on this machine', variables: [] },
  { name: 'lmstudio', about: 'LM Studio on this machine', variables: [] },
  { name: 'llamacpp', about: 'llama.cpp on this machine', variables: [] },
  { name: 'vllm', about: 'vLLM on this machine', variables: [] },
]
