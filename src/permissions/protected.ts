import { sep } from 'node:path'
import { folded } from './paths.ts'

/** What decides on what runs later, or who may get in: written to only after a question, wherever it stands. */
const folders = ['.git', '.ssh', '.gnupg', '.aws', '.kube', '.docker', '.vscode', '.idea', '.husky', '.lena', '.config']
const files = (
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin ' +
  '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .gitconfig .gitmodules .mcp.json .netrc .pypirc .envrc ' +
  '.ripgreprc .vimrc .inputrc .tmux.conf authorized_keys lena.json'
).split(' ')
const kinds = /^(\.env(\..*)?|id_(rsa|dsa|ecdsa|ed25519)(\.pub)?|.*\.(pem|key|p12|pfx))$/
const examples = /^\.env\.(example|sample|template|dist)$/

/** In whatever case it is written. */
export function isProtected(path: string): boolean {
  const parts = folded(path).split(sep)
  const name = parts.at(-1) ?? ''
  if (parts.some((part) => folders.includes(part.replace(/[. ]+$/, '') || part))) return true
  return files.includes(name) || (kinds.test(name) && !examples.test(name))
}
