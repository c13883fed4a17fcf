import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

const { PATH } = process.env

test('keys are kept out, other variables are not, and programs are told that nobody watches', async () => {
  const env = {
    PATH,
    HOME: '/home/me',
    ANTHROPIC_API_KEY: '1',
    OPENAI_BASE_URL: '2',
    github_token: '3',
    MY_SECRET: '4',
    AWS_SECRET_ACCESS_KEY: '5',
    GOOGLE_APPLICATION_CREDENTIALS: '6',
    DB_PASSWORD: '7',
    PGPASSWORD: '8',
    GH_PAT: '9',
    SIGN_PASSPHRASE: '10',
    COMPAT: 'c',
    AWS_REGION: 'r',
    TOKENIZER: 't',
    FORCE_COLOR: '1',
    PAGER: 'less',
    UNSET: undefined,
  }
  const workspace = await workspaceWith()
  const { content } = await shell({ workspace, env })({ command: 'env | grep -v -E "^(PATH|SHLVL|_|LENA_AGENT_JOB)=" | sort' })
  expect(content.split('\n')).toEqual([
    'exit_code: 0',
    'AWS_REGION=r',
    'COMPAT=c',
    'GIT_EDITOR=true',
    'GIT_PAGER=cat',
    'GIT_TERMINAL_PROMPT=0',
    'HOME=/home/me',
    'LENA_AGENT=1',
    'MANPAGER=cat',
    'NO_COLOR=1',
    'PAGER=cat',
    `PWD=${workspace}`,
    'TERM=dumb',
    'TOKENIZER=t',
  ])
})

test('keepEnv names exceptions', async () => {
  const run = shell({ workspace: await workspaceWith(), env: { PATH, GITHUB_TOKEN: 'a', NPM_TOKEN: 'b' }, keepEnv: ['GITHUB_TOKEN'] })
  expect((await run({ command: 'echo "$GITHUB_TOKEN,$NPM_TOKEN"' })).content).toBe('exit_code: 0\na,')
})

test('bash is the first one on the PATH', async () => {
  const workspace = await workspaceWith()
  await symlink('/bin/sh', join(workspace, 'bash'))
  const run = shell({ workspace, env: { PATH: `${workspace}:${PATH}` } })
  expect((await run({ command: 'readlink /proc/$$/exe; cd /; exit 2' })).content).toMatch(
    /^exit_code: 2\n.*\n\[The working folder is \/ now\.\]$/,
  )
})
