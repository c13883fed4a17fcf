import { InputError } from '../../../errors.ts'

/** Where a deployment of Azure OpenAI is. */
export type AzurePlace = {
  /** Azure: the name of the resource. Default: the address in the environment variable `AZURE_OPENAI_ENDPOINT`. */
  readonly resource?: string | undefined
  /** Azure: the dated version of the API, such as `2024-10-21`. Default: the API without versions, `/openai/v1`. */
  readonly apiVersion?: string | undefined
}

const variable = 'AZURE_OPENAI_ENDPOINT'

/** The base address of a deployment. With a version of the API the deployment stands in it. */
export function azureBaseURL(deployment: string, { resource, apiVersion }: AzurePlace): string {
  const host = resource === undefined ? globalThis.process?.env[variable] : `https://${resource}.openai.azure.com`
  if (!host || !URL.canParse(host))
    throw new InputError(
      `compatible("azure"): no resource. Give \`resource\` (its name) or \`baseURL\`, or set the environment variable ${variable} to an address such as "https://my-resource.openai.azure.com".`,
    )
  const base = host.replace(/\/+$/, '')
  return apiVersion === undefined
    ? `${base}/openai/v1`
    : `${base}/openai/deployments/${encodeURIComponent(deployment)}?api-version=${encodeURIComponent(apiVersion)}`
}
