import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AgentError } from '../errors.ts'
import { ModuleGraph } from './module-graph.ts'
import { codeOf, importFrom, isUnlinked } from './native-import.ts'
import { findJiti } from './peers.ts'

/** A package as a module in `cwd` would import it. Node keeps it: it is evaluated once, and is the application's own. */
export async function importPackage(specifier: string, cwd: string): Promise<unknown> {
  if (isBuiltin(specifier)) return await import(specifier)
  const jiti = await findJiti()
  if (!jiti) {
    return await importFrom(cwd, specifier).catch((error: unknown) => {
      throw codeOf(error) === 'ERR_MODULE_NOT_FOUND' && String(error).includes(`'${nameOf(specifier)}'`)
        ? missing(specifier, cwd, error)
        : error
    })
  }
  const parentURL = pathToFileURL(join(cwd, 'tools.js'))
  const found: unknown = jiti.createJiti(cwd, { fsCache: false }).esmResolve(specifier, { parentURL, try: true })
  if (found === undefined) throw missing(specifier, cwd)
  const place = String(found)
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if (!isUnlinked(error)) throw error
    return await new ModuleGraph(jiti).load(path).outcome
  }
}

/** `@me/tools/more` → `@me/tools` */
const nameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const missing = (specifier: string, cwd: string, cause?: unknown): AgentError =>
  new AgentError(`There is no package "${specifier}" for modules in ${cwd}. A file or a folder begins with "./": "./${specifier}".`, {
    code: 'tools_not_found',
    cause,
  })
