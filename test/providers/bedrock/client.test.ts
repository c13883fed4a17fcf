import * as sdk from '@aws-sdk/client-bedrock-runtime'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ModelError } from '../../../src/errors.ts'
import { ConverseModel } from '../../../src/providers/bedrock/converse-model.ts'
import type { BedrockOptions } from '../../../src/providers/bedrock/index.ts'
import { bedrock } from '../../../src/providers/bedrock/index.ts'
import { answer, errorOf } from '../support/answer.ts'
import type { Sent } from './support/ask.ts'
import { claude, environment, fetchOf, keys } from './support/ask.ts'
import { saying } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const fromEnv = { AWS_ACCESS_KEY_ID: 'ENVID', AWS_SECRET_ACCESS_KEY: 'S' }

async function askedOf(options: BedrockOptions, id = claude): Promise<Sent> {
  const seen: Sent[] = []
  const { error } = await answer(bedrock(id, { ...options, fetch: fetchOf(saying('ok'), seen) }))
  if (error) throw error
  return seen[0]!
}
/** Who asks, as the request shows it. */
const whoOf = async (options: BedrockOptions): Promise<string> =>
  (await askedOf({ region: 'us-east-1', ...options })).headers['authorization']!.replace(/^.*Credential=([^/]*)\/.*$/, 'signed by $1')

describe('who asks', () => {
  it('is a key, where one is given', async () => expect(await whoOf({ apiKey: 'k' })).toBe('Bearer k'))

  it('is the key of the environment, for the addresses of AWS alone', async () => {
    environment({ ...fromEnv, AWS_BEARER_TOKEN_BEDROCK: 'from-env' })
    expect(await whoOf({})).toBe('Bearer from-env')
    expect(await whoOf({ endpoint: 'https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com' })).toBe('Bearer from-env')
    for (const endpoint of [
      'https://gate.example',
      'http://bedrock-runtime.us-east-1.amazonaws.com',
      'https://mine.execute-api.us-east-1.amazonaws.com',
    ])
      expect(await whoOf({ endpoint })).toBe('signed by ENVID')
    expect(await whoOf({ apiKey: 'mine', endpoint: 'https://gate.example' })).toBe('Bearer mine')
  })

  it('is who was named, whatever the environment holds', async () => {
    environment({ ...fromEnv, AWS_BEARER_TOKEN_BEDROCK: 'from-env' })
    expect(await whoOf({ credentials: keys })).toBe('signed by AKID')
    expect(await whoOf({ credentials: async () => ({ ...keys, accessKeyId: 'GIVEN' }) })).toBe('signed by GIVEN')
  })

  it('is found by the chain of the SDK', async () => {
    environment(fromEnv)
    expect(await whoOf({})).toBe('signed by ENVID')
  })

  it('is read from the file of a profile, with its region', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'profile-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [config, credentials] = [join(folder, 'config'), join(folder, 'credentials')]
    writeFileSync(config, '[profile work]\nregion = eu-central-1\n')
    writeFileSync(credentials, '[work]\naws_access_key_id = FILEID\naws_secret_access_key = S\n')
    environment({ AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: credentials })
    const { url, headers } = await askedOf({ profile: 'work' })
    expect([new URL(url).host, headers['authorization']]).toEqual([
      'bedrock-runtime.eu-central-1.amazonaws.com',
      expect.stringContaining('Credential=FILEID/'),
    ])
  })
})

describe('where requests go', () => {
  const hostOf = async (variables: Readonly<Record<string, string>>, options: BedrockOptions = {}, id = claude): Promise<string> => {
    environment(variables)
    return new URL((await askedOf({ credentials: keys, ...options }, id)).url).host
  }
  const arn = 'arn:aws:bedrock:ap-south-1:123456789012:application-inference-profile/abc'

  it('is the region that was named first', async () => {
    expect(await hostOf({})).toBe('bedrock-runtime.us-east-1.amazonaws.com')
    expect(await hostOf({ AWS_DEFAULT_REGION: 'eu-west-2' })).toBe('bedrock-runtime.eu-west-2.amazonaws.com')
    expect(await hostOf({ AWS_DEFAULT_REGION: 'eu-west-2', AWS_REGION: 'eu-west-1' })).toBe('bedrock-runtime.eu-west-1.amazonaws.com')
    expect(await hostOf({ AWS_REGION: 'eu-west-1' }, {}, arn)).toBe('bedrock-runtime.ap-south-1.amazonaws.com')
    expect(await hostOf({ AWS_REGION: 'eu-west-1' }, { region: 'us-west-2' }, arn)).toBe('bedrock-runtime.us-west-2.amazonaws.com')
  })

  it("is an endpoint of one's own, with its path", async () => {
    const { url } = await askedOf({ region: 'us-east-1', credentials: keys, endpoint: 'https://gate.example:8443/aws/' })
    expect(url).toBe(`https://gate.example:8443/aws/model/${claude.replace(':', '%3A')}/converse-stream`)
  })
})

describe('the SDK', () => {
  it('that is not installed is named, with what to do, each time anew', async () => {
    let loads = 0
    const missing = new ConverseModel(claude, { region: 'us-east-1', credentials: keys }, async () => {
      loads++
      throw Object.assign(new Error("Cannot find package '@aws-sdk/client-bedrock-runtime'"), { code: 'ERR_MODULE_NOT_FOUND' })
    })
    expect(loads).toBe(0)
    const error = await errorOf(missing)
    expect(error).toBeInstanceOf(ModelError)
    expect([error.message, (error as ModelError).code, (error as ModelError).retryable]).toEqual([
      'bedrock: could not load the package @aws-sdk/client-bedrock-runtime, which signs requests and reads answers. Install it: npm install @aws-sdk/client-bedrock-runtime',
      'package_missing',
      false,
    ])
    await errorOf(missing)
    expect(loads).toBe(2)
  })

  it('makes one client for all requests, and another when that failed', async () => {
    let made = 0
    class Failing extends sdk.BedrockRuntimeClient {
      constructor(config: sdk.BedrockRuntimeClientConfig) {
        super(config)
        if (made++ === 0) throw new Error('not today')
      }
    }
    const model = new ConverseModel(
      claude,
      { region: 'us-east-1', credentials: keys, fetch: fetchOf(() => new Response(saying('ok'))) },
      async () => ({
        ...sdk,
        BedrockRuntimeClient: Failing,
      }),
    )
    expect((await errorOf(model)).message).toBe('bedrock: not today')
    for (let i = 0; i < 3; i++) expect((await answer(model)).message?.content).toEqual([{ type: 'text', text: 'ok' }])
    expect(made).toBe(2)
  })
})
