import { join, posix } from 'node:path'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { systemClock } from '../util/clock.ts'
import { counted } from './counted.ts'
import { readableName } from './files/readable-name.ts'
import { groundOf } from './ground.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import { ripgrepOf } from './search/find-ripgrep.ts'
import { listWithRipgrep } from './search/list-with-ripgrep.ts'
import { pathPattern } from './search/path-pattern.ts'
import { searchPlace } from './search/search-place.ts'
import { searchSeconds, takeUntil } from './search/take-until.ts'
import { walk } from './search/walk.ts'

type GlobInput = { readonly pattern: string; readonly path?: string | undefined }

const maxFiles = 1000
/** Leaves room for the last line within the default budget of a result. */
const maxChars = 28_000

const description = `Finds files by their paths, in the order of their names. "*" and "?" stand within a name, "**" for any folders, [a-z] and {a,b} work: \
"src/**/*.ts". A pattern without a slash is compared with the name at any depth. Hidden files are found; links are not followed, \
and what ignore files (.gitignore) name is left out unless "path" leads into it.`

/** The tool `glob`: files whose path fits a pattern; at most 1,000 of them, for at most 30 seconds. */
export function glob(options: ToolkitOptions = {}) {
  checkToolkitOptions('glob', options)
  const ground = groundOf(options)
  const { clock = systemClock } = options
  const findProgram = ripgrepOf(options)
  return tool({
    name: 'glob',
    description,
    inputSchema: jsonSchema<GlobInput>({
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: 'What paths look like, from "path" on.' },
        path: { type: 'string', minLength: 1, description: 'The folder to look in. Default: ".", the workspace.' },
      },
      required: ['pattern'],
    }),
    isReadOnly: true,
    isConcurrencySafe: true,
    execute: async ({ pattern, path: given = '.' }, { signal, isWithheld }): Promise<string> => {
      const { matches, ripgrepArgs } = pathPattern(pattern)
      const place = await searchPlace(ground, given)
      if (place.file !== undefined) throw new Error(`${JSON.stringify(given)} is a file. Give the folder to look in.`)
      const program = await findProgram()
      const lines: string[] = []
      let chars = 0
      let isFull = false
      let withheld = 0
      const end = await takeUntil(
        (until) =>
          program === undefined ? walk(place.files, place.folder, until) : listWithRipgrep(program, { ...place, ripgrepArgs }, until),
        (file) => {
          if (!matches(file)) return true
          if (isWithheld?.(join(place.folder, file))) return (withheld += 1) > 0
          const line = readableName(posix.join(given, file))
          isFull = lines.length >= maxFiles || chars + line.length + 1 > maxChars
          if (isFull) return false
          chars += line.length + 1
          lines.push(line)
          return true
        },
        { clock, signal },
      )
      if (isFull) lines.push(`[There are more: these are the first ${lines.length}. Give a narrower pattern or a folder as path.]`)
      if (end === 'timeout') lines.push(`[The search was ended after ${searchSeconds} s and is not complete. Give a folder as path.]`)
      if (withheld > 0) lines.push(`[Left out by a rule: ${counted(withheld, 'file')}. To ask for one, name it.]`)
      return lines.length > 0
        ? lines.join('\n')
        : `[No file fits ${JSON.stringify(pattern)}. Files that ignore files name are not looked at.]`
    },
  })
}
