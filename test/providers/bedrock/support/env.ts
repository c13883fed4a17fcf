import { afterEach, beforeEach } from 'vitest'

/** What the SDK of AWS, and who runs it, may have in the environment. */
const own = /^AWS_/
/** Nobody's files, and no machine's role. */
const dummy: Readonly<Record<string, string>> = {
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
}

const saved = Object.entries(process.env).filter(([name]) => own.test(name))

/** An environment for a test alone: nothing of the real one is read. */
export function environment(variables: Readonly<Record<string, string>> = {}): void {
  for (const name of Object.keys(process.env)) if (own.test(name)) delete process.env[name]
  Object.assign(process.env, dummy, variables)
}

/** Each test of the file has an environment of its own, and leaves the real one as it was. */
export function useOwnEnvironment(): void {
  beforeEach(() => environment())
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (own.test(name)) delete process.env[name]
    Object.assign(process.env, Object.fromEntries(saved))
  })
}
