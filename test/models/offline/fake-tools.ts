import type { ToolResultCode } from '../../../src/messages/content.ts'
import type { JsonObject } from '../../../src/util/json.ts'

export type FakeResult = { readonly status: 'success' | 'error'; readonly code?: ToolResultCode; readonly text: string }
export type FakeTool = (input: JsonObject) => FakeResult

const good = (text: string): FakeResult => ({ status: 'success', text })
const bad = (text: string, code?: ToolResultCode): FakeResult =>
  code === undefined ? { status: 'error', text } : { status: 'error', code, text }

export type Folder = {
  /** The files by their paths, as they are now. */
  readonly files: Map<string, string>
  /** `read_file`, `list_dir`, `write_file`, `shell`. */
  readonly basic: Readonly<Record<string, FakeTool>>
  /** These, `glob`, `grep`, `edit_file`, `todo`, `web_fetch` and `web_search`. */
  readonly all: Readonly<Record<string, FakeTool>>
}

export type FolderOptions = {
  /** What a command prints and how it ends; `undefined` falls back on what the folder itself can answer. */
  readonly shell?: ((command: string) => { readonly exitCode: number; readonly output: string } | undefined) | undefined
  /** Lines that `read_file` shows at most. */
  readonly pageLines?: number | undefined
}

/** Tools over files in memory. They speak as the real ones do. */
export function folderOf(initial: Readonly<Record<string, string>>, { shell, pageLines = 2000 }: FolderOptions = {}): Folder {
  const files = new Map(Object.entries(initial).filter(([path]) => !path.endsWith('/')))
  const emptyFolders = Object.keys(initial)
    .filter((path) => path.endsWith('/'))
    .map((path) => path.slice(0, -1))
  const readTo = new Map<string, number>()
  const plain = (path: unknown): string =>
    String(path ?? '.')
      .replace(/^\.\//, '')
      .replace(/(?<=.)\/$/, '')
  const isFolder = (path: string): boolean =>
    path === '.' || emptyFolders.includes(path) || [...files.keys()].some((name) => name.startsWith(`${path}/`))
  const missing = (path: string): FakeResult => {
    const near = [...files.keys()].find((name) => name.toLowerCase().slice(0, 3) === path.toLowerCase().slice(0, 3))
    return bad(
      `${JSON.stringify(path)} does not exist.${near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`} See what is there with list_dir.`,
    )
  }

  const readFile: FakeTool = (input) => {
    const path = plain(input['path'])
    const text = files.get(path)
    if (text === undefined)
      return isFolder(path) ? bad(`${JSON.stringify(path)} is a folder. Use list_dir to see what is in it.`) : missing(path)
    if (text === '') {
      readTo.set(path, 0)
      return good('[The file is empty.]')
    }
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
    const from = Number(input['offset'] ?? 1)
    if (from > lines.length) return bad(`offset=${from} is past the end: ${JSON.stringify(path)} has ${lines.length} lines.`)
    const to = Math.min(lines.length, from - 1 + Number(input['limit'] ?? pageLines))
    if (from <= (readTo.get(path) ?? 0) + 1) readTo.set(path, Math.max(to, readTo.get(path) ?? 0))
    const notes: string[] = []
    if (to < lines.length)
      notes.push(
        `[Lines ${from}-${to} of ${lines.length}. ${lines.length - to === 1 ? '1 line is' : `${lines.length - to} lines are`} left: go on with offset=${to + 1}.]`,
      )
    else if (from > 1) notes.push(`[Lines ${from}-${to} of ${lines.length}: the end of the file.]`)
    if (text.includes('\r\n')) notes.push('[The lines end in CRLF.]')
    if (to === lines.length && !text.endsWith('\n')) notes.push('[The last line has no newline at its end.]')
    return good([...lines.slice(from - 1, to).map((line, index) => `${from + index}\t${line}`), ...notes].join('\n'))
  }

  const listDir: FakeTool = (input) => {
    const path = plain(input['path'])
    if (files.has(path)) return bad(`${JSON.stringify(path)} is not a folder. Use read_file to see what is in a file.`)
    if (!isFolder(path)) return missing(path)
    const below = path === '.' ? '' : `${path}/`
    const names = [...files.keys(), ...emptyFolders.map((folder) => `${folder}/`)]
      .filter((name) => name.startsWith(below) && name !== below)
      .map((name) => name.slice(below.length))
    const folders = [...new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0]!))].sort()
    const plainFiles = names.filter((name) => !name.includes('/')).sort()
    if (folders.length + plainFiles.length === 0) return good('[The folder is empty.]')
    return good(
      [...folders.map((name) => `${name}/`), ...plainFiles.map((name) => `${name} (${files.get(`${below}${name}`)!.length} B)`)].join('\n'),
    )
  }

  const writeFile: FakeTool = (input) => {
    const path = plain(input['path'])
    const content = String(input['content'])
    const old = files.get(path)
    if (isFolder(path)) return bad(`${JSON.stringify(path)} is a folder. Give the path of a file in it.`)
    const lines = old === undefined ? 0 : old.replace(/\n$/, '').split('\n').length
    if (old !== undefined && !readTo.has(path))
      return bad(
        `${JSON.stringify(path)} exists and was not read in this session, so it was not overwritten. Read it with read_file first, then write.`,
      )
    if (old !== undefined && old !== '' && readTo.get(path)! < lines)
      return bad(
        `Only the first ${readTo.get(path)} lines of ${lines} of ${JSON.stringify(path)} were read, so it was not overwritten: the rest would be lost unseen.`,
      )
    files.set(path, content)
    readTo.set(path, Infinity)
    return good(old === undefined ? `Created ${path} (${content.length} bytes).` : `Overwrote ${path} (${content.length} bytes).`)
  }

  const runShell: FakeTool = (input) => {
    const command = String(input['command'])
    const { exitCode, output } = shell?.(command) ?? builtIn(command)
    const note = exitCode === 1 && command.startsWith('grep') ? '\n[nothing matched: exit code 1 of "grep" is no error.]' : ''
    const text = `exit_code: ${exitCode}\n${output === '' ? '(no output)' : output}${note}`
    return exitCode === 0 || note !== '' ? good(text) : bad(text)
  }

  /** Enough of `find`, `grep`, `date` and `pwd` to answer the commands that the model makes. */
  function builtIn(command: string): { readonly exitCode: number; readonly output: string } {
    if (command === 'date') return { exitCode: 0, output: 'Wed Mar  4 10:11:12 UTC 2026' }
    if (command === 'pwd') return { exitCode: 0, output: '/home/ada/project' }
    const find = /^find (\S+) -type f (.*?) -not -path/.exec(command)
    if (find) {
      const globs = [...find[2]!.matchAll(/-name '([^']*)'/g)].map((match) => match[1]!)
      const prefix = find[1] === '.' ? '' : `${find[1]}/`
      return {
        exitCode: 0,
        output: [...files.keys()]
          .filter((path) => path.startsWith(prefix) && globs.some((glob) => globMatches(glob, path.split('/').at(-1)!)))
          .map((path) => (prefix === '' ? `./${path}` : path))
          .join('\n'),
      }
    }
    const grep = /^grep -rnHIF(i?) .*?-e ('(?:[^']|'\\'')*'|\S+) -- (.+)$/.exec(command)
    if (grep) {
      const wanted = unquoted(grep[2]!)
      const place = unquoted(grep[3]!)
      const hits = [...files]
        .filter(([path]) => place === '.' || path === place || path.startsWith(`${place}/`))
        .flatMap(([path, text]) =>
          text
            .split('\n')
            .flatMap((line, index) =>
              (grep[1] ? line.toLowerCase().includes(wanted.toLowerCase()) : line.includes(wanted))
                ? [`${place === '.' ? './' : ''}${path}:${index + 1}:${line}`]
                : [],
            ),
        )
      return hits.length > 0 ? { exitCode: 0, output: hits.join('\n') } : { exitCode: 1, output: '' }
    }
    return { exitCode: 127, output: `bash: line 1: ${command.split(' ')[0]}: command not found` }
  }

  const glob: FakeTool = (input) => {
    const name = String(input['pattern']).replace(/^\*\*\//, '')
    const prefix = input['path'] === undefined ? '' : `${plain(input['path'])}/`
    const found = [...files.keys()].filter((path) => path.startsWith(prefix) && globMatches(name, path.split('/').at(-1)!))
    return good(found.length === 0 ? '[No file matches.]' : found.join('\n'))
  }

  const grep: FakeTool = (input) => {
    const form = new RegExp(String(input['pattern']).replace('(?i)', ''), String(input['pattern']).startsWith('(?i)') ? 'i' : '')
    const place = plain(input['path'])
    const hits = [...files]
      .filter(([path]) => place === '.' || path === place || path.startsWith(`${place}/`))
      .flatMap(([path, text]) => text.split('\n').flatMap((line, index) => (form.test(line) ? [`${path}:${index + 1}:${line}`] : [])))
    return good(hits.length === 0 ? '[No line matches.]' : hits.join('\n'))
  }

  const editFile: FakeTool = (input) => {
    const path = plain(input['path'])
    const text = files.get(path)
    if (text === undefined) return missing(path)
    if (!readTo.has(path)) return bad(`${JSON.stringify(path)} was not read in this session. Read it with read_file first, then edit.`)
    const [old, fresh] = [String(input['old']), String(input['new'])]
    const count = text.split(old).length - 1
    if (count === 0) return bad(`The text to be replaced is not in ${JSON.stringify(path)}.`)
    if (count > 1 && input['all'] !== true) return bad(`The text to be replaced stands ${count} times in ${JSON.stringify(path)}.`)
    files.set(path, text.split(old).join(fresh))
    return good(`Edited ${path}: ${count} place(s).`)
  }

  const todo: FakeTool = (input) => good(`0 of ${(input['todo'] as readonly object[]).length} steps done.`)
  const webFetch: FakeTool = (input) => (String(input['url']).includes('.example') ? good('A page.') : bad('getaddrinfo ENOTFOUND'))
  const webSearch: FakeTool = () => good('1. A hit\nhttps://a.example/')

  return {
    files,
    basic: { read_file: readFile, list_dir: listDir, write_file: writeFile, shell: runShell },
    all: {
      read_file: readFile,
      list_dir: listDir,
      write_file: writeFile,
      shell: runShell,
      glob,
      grep,
      edit_file: editFile,
      todo,
      web_fetch: webFetch,
      web_search: webSearch,
    },
  }
}

const globMatches = (glob: string, name: string): boolean =>
  new RegExp(`^${glob.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(name)

const unquoted = (word: string): string => (word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word)
