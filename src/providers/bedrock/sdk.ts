import type * as runtime from '@aws-sdk/client-bedrock-runtime'
import { ModelError } from '../../errors.ts'
import { providerName } from './options.ts'

/** As much of the SDK as is used here. */
export type Sdk = Pick<typeof runtime, 'BedrockRuntimeClient' | 'ConverseStreamCommand'>
export type LoadSdk = () => Promise<Sdk>

const packageName = '@aws-sdk/client-bedrock-runtime'

/** The one place where the package is loaded: who does not use Bedrock need not have it. */
export const importSdk: LoadSdk = () => import('@aws-sdk/client-bedrock-runtime')

/** @throws {ModelError} that says what to install. */
export async function loadSdk(load: LoadSdk): Promise<Sdk> {
  try {
    return await load()
  } catch (cause) {
    throw new ModelError(
      `${providerName}: could not load the package ${packageName}, which signs requests and reads answers. Install it: npm install ${packageName}`,
      { code: 'package_missing', provider: providerName, cause },
    )
  }
}
