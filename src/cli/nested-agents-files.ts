import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { JsonObject, Plugin } from '../index.ts'
import type { AgentsFile } from './agents-files.ts'
import { realFolder } from './folders.ts'
import { agentsFileSection } from './instructions.ts'
import type { Io } from './io.ts'
import { readProjectFile } from './trust/project-file.ts'
import { trustStore } from './trust/trust-store.ts'

/** What the model was told in one conversation, and which folders were looked at. */
export type FoldersTold = { readonly looked: Set<string>; readonly files: AgentsFile[] }

/** By conversation: a sub-agent has one of its own, and works elsewhere. */
export type Told = Map<string, FoldersTold>

/** Of all those files of one conversation together, in characters. */
const maxChars = 32 * 1024
/** Sub-agents come and go. */
const maxConversations = 100

/** The inputs of the file tools that name a file or a folder. */
const fileTools: ReadonlySet<string> = new Set(['read_file', 'write_file', 'edit_file', 'list_dir', 'glob', 'grep'])

/**
 * The AGENTS.md files below the workspace: once a file tool has come into a folder with one, the model is told of it with every request
 * that follows. Only of files that the user trusts: the others are named to the user, who would else wonder. In the system prompt, not in
 * the result of the call, where any file could say the same.
 */
export function nestedAgentsFiles(io: Io, { workspace, told }: { readonly workspace: string; readonly told: Told }): Plugin {
  const root = realFolder(workspace)
  const store = trustStore(io)
  const named = new Set<string>()
  const of = (conversationId: string): FoldersTold => {
    // The conversation itself may change its id, as when another model goes on with it.
    const key = conversationId.includes('>') ? conversationId : ''
    const known = told.get(key)
    if (known) return known
    if (told.size >= maxConversations) told.delete([...told.keys()].find((each) => each !== '')!)
    const fresh: FoldersTold = { looked: new Set([root]), files: [] }
    told.set(key, fresh)
    return fresh
  }
  return {
    name: 'nested_agents_files',
    setup(agent) {
      agent.on('afterToolCall', async ({ toolUse, input, discarded, conversationId }) => {
        if (discarded || !fileTools.has(toolUse.name)) return
        const { looked, files } = of(conversationId)
        for (const folder of await foldersBelow(root, input)) {
          if (looked.has(folder)) continue
          looked.add(folder)
          const file = await readProjectFile(folder, 'AGENTS.md').catch(() => undefined)
          if (!file || !isBelow(root, await realpath(file.path))) continue
          const shown = relative(root, file.path)
          if (!(await store.isTrusted(file))) {
            if (!named.has(shown))
              agent.warn(
                'agents_file_not_trusted',
                `${shown} is not trusted, so it is not used. Trust it with: lena config trust --cwd ${relative(root, folder)}`,
              )
            named.add(shown)
            continue
          }
          const room = maxChars - files.reduce((sum, { text }) => sum + text.length, 0)
          const text = file.text.trim()
          if (text === '') continue
          if (room <= 0)
            agent.warn('agents_file_left_out', `${shown} is left out: those below the workspace have ${maxChars / 1024} KB already.`)
          else {
            const isCut = text.length > room
            const part = text.slice(0, room).replace(/[\ud800-\udbff]$/, '')
            files.push({ path: shown, text: isCut ? `${part}\n[The rest is left out: it is too long.]` : part, from: 'project' })
            agent.warn('agents_file', `${shown} is used from here on${isCut ? ', but for its end, which is too much' : ''}.`)
          }
        }
      })
      agent.on('beforeModelCall', (event) => {
        const { files } = of(event.conversationId)
        if (files.length === 0) return
        const text = files.map(agentsFileSection).join('').trim()
        event.request = { ...event.request, system: [...event.request.system, { type: 'text', text }] }
      })
    },
  }
}

/** The folders between the workspace and what a call was about, the upper ones first. */
async function foldersBelow(root: string, { path }: JsonObject): Promise<readonly string[]> {
  if (typeof path !== 'string') return []
  const about = resolve(root, path)
  try {
    const real = await realpath(about)
    let at = (await stat(real)).isDirectory() ? real : dirname(real)
    const folders: string[] = []
    for (; isBelow(root, at); at = dirname(at)) folders.unshift(at)
    return folders
  } catch {
    // Gone again, or never there.
    return []
  }
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
