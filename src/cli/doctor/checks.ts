import type { Check } from './finding.ts'
import { folders } from './folders.ts'
import { mcp } from './mcp.ts'
import { keys, servers } from './models.ts'
import { git, node, ripgrep, shell } from './programs.ts'
import { proxy } from './proxy.ts'
import { sandbox } from './sandbox.ts'
import { settings } from './settings.ts'

/** All of them, in the order in which they are told. A new one is a file beside this and a line here. */
export const checks: readonly Check[] = [node, shell, git, ripgrep, folders, settings, sandbox, keys, servers, mcp, proxy]
