import { InputError } from '../errors.ts'
import type { ToolProvider } from '../tools/provider.ts'
import { fixedProvider } from './fixed-provider.ts'
import { FolderProvider } from './folder-provider.ts'
import { importPackage } from './import-package.ts'
import type { ToolsFromOptions } from './options.ts'
import { loadOptions } from './options.ts'
import { parseSource } from './parse-source.ts'
import { isOptions } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'

/**
 * Tools from files, for `tools` of an agent:
 *
 * - `./tools`, a folder: every module directly in it. `./tools/weather.ts`, one file. `./tools/weather.ts:weather`, one export of it.
 * - `my-package`, `my-package:weather`: a package, looked up from the working folder.
 * - a module, `import * as tools from './tools.ts'`.
 *
 * Exports that are tools count, one by one and in arrays (`toolsOf(instance)` is one); others are passed over. Nothing is run
 * before the tools are needed. TypeScript is loaded as it is, in a Node that cannot with the help of `jiti`.
 *
 * With `watch`, a change loads the file again with all that imports it. A file that is broken keeps its tools, and a
 * warning `tool_reload_failed` says why; a file that is removed takes its tools along. It is watched from the first agent
 * that uses it to the last one. Several agents may share one.
 *
 * @throws {InputError} for a source that is none, or that cannot be watched. What cannot be found or loaded fails when it is loaded.
 */
export function toolsFrom(source: string | object, options: ToolsFromOptions = {}): ToolProvider {
  const load = loadOptions(options)
  if (typeof source === 'object' && source !== null) {
    if (!isOptions(source))
      throw new InputError(`toolsFrom() needs a folder, a file, a package or a module that is loaded; got ${describe(source)}.`)
    if (load.watch)
      throw new InputError(
        'toolsFrom(): a module that is loaded cannot be watched. Give its path: toolsFrom("./tools.ts", { watch: true }).',
      )
    return fixedProvider({ name: 'module', exported: async () => source }, load)
  }
  if (typeof source !== 'string' || source.trim() === '')
    throw new InputError(
      `toolsFrom() needs a folder, a file, a package or a module; got ${typeof source === 'string' ? 'a blank text' : describe(source)}.`,
    )
  const parsed = parseSource(source, load.cwd)
  if (parsed.kind === 'path') return new FolderProvider(source, parsed, load)
  const { specifier, exportName } = parsed
  if (load.watch)
    throw new InputError(`toolsFrom(): "${specifier}" is a package, and packages are not watched. A file or a folder begins with "./".`)
  return fixedProvider({ name: source, exportName, exported: () => importPackage(specifier, load.cwd) }, load)
}
