import { register } from 'node:module'
import { shell } from '../../../../../src/toolkit/index.ts'

const hooks = `export async function resolve(name, context, next) {
  if (name !== '@anthropic-ai/sandbox-runtime') return await next(name, context)
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

const [workspace = ''] = process.argv.slice(2)
try {
  await shell({ workspace, sandbox: { network: ['one.example'] } })({ command: 'true' })
} catch (error) {
  process.stdout.write((error as Error).message)
}
