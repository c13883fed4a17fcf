import { sep } from 'node:path'
import { folded } from './paths.ts'

/** What decides on what runs later, or who may get in: written to only after a question, wherever it stands. */
const folders = (
  '.git .hg .jj .svn .ssh .gnupg .aws .azure .kube .docker .vscode .idea .zed .cursor .claude .devcontainer .husky .lena .config ' +
  '.cargo .yarn .mise launchagents'
).split(' ')
const files = (
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .login .cshrc .tcshrc ' +
  '.kshrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs ' +
  'bunfig.toml .gitconfig .gitmodules .hgrc .pre-commit-config.yaml lefthook.yml .lefthook.yml .mcp.json .netrc .pypirc .curlrc .wgetrc ' +
  '.gemrc .condarc .envrc .direnvrc .mise.toml mise.toml .ripgreprc .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .emacs .dir-locals.el ' +
  '.gdbinit .lldbinit .screenrc .inputrc .tmux.conf .ackrc authorized_keys lena.json'
).split(' ')
const kinds = /^(\.env(\..*)?|id_(rsa|dsa|ecdsa|ed25519)(\.pub)?|.*\.(pem|key|p12|pfx))$/
const examples = /^\.env\.(example|sample|template|dist)$/

/** Some file systems leave these out of a name when they compare it. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** In whatever case it is written. */
export function isProtected(path: string): boolean {
  const parts = folded(path.replace(unseen, '')).split(sep)
  const name = parts.at(-1) ?? ''
  if (parts.some((part) => folders.includes(part.replace(/[. ]+$/, '') || part))) return true
  return files.includes(name) || (kinds.test(name) && !examples.test(name))
}
