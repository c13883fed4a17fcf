import { readFileSync } from 'node:fs'
import { dirname, extname, join, normalize, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti, ModuleCache } from 'jiti'
import type * as JitiModule from 'jiti'
import { markRelativeImports, readMark } from './relative-imports.ts'
import { versionOf } from './tool-files.ts'

/** A file as it was read. */
type Module = {
  readonly version: string | undefined
  readonly imports: Set<string>
  exports: unknown
}

/** A load: what it read, and what it gave. */
export type Loaded = {
  readonly seen: ReadonlyMap<string, string | undefined>
  readonly outcome: Promise<unknown>
  /** The modules that were read count from now on. Of a load that failed nothing does. */
  keep(): void
}

/**
 * The files that tools are made of, and who imports whom. A file that did not change is evaluated once, whoever imports it;
 * one that did is evaluated again, with those that import it.
 */
export class ModuleGraph {
  readonly #jiti: typeof JitiModule
  readonly #kept = new Map<string, Module>()

  constructor(jiti: typeof JitiModule) {
    this.#jiti = jiti
  }

  load(file: string): Loaded {
    const read = new Map<string, Module>()
    // Where jiti keeps the modules of this load, those that are not complete among them: that is how cycles end.
    const cache: ModuleCache = {}
    let isKept = false
    const keep = (path: string, module: Module): void => {
      module.exports = cache[path]?.exports
      this.#kept.set(path, module)
    }

    const evaluate = (path: string): unknown => {
      const kept = this.#kept.get(path)
      if (kept) {
        for (const [other, module] of this.#below(path)) read.set(other, module)
        return kept.exports
      }
      if (cache[path]) return cache[path].exports
      const module: Module = { version: versionOf(path), imports: new Set(), exports: undefined }
      read.set(path, module)
      const source = readFileSync(path, 'utf8')
      const result = jiti.evalModule(source, { id: path, filename: path, ext: extname(path), cache, async: true, forceTranspile: true })
      // An import in a tool that runs, long after the load.
      return isKept ? Promise.resolve(result).then((value) => (keep(path, module), value)) : result
    }

    const importRelative = async (importer: string, specifier: string): Promise<unknown> => {
      const known = read.get(importer) ?? this.#kept.get(importer)
      const path = resolveFrom(jiti, importer, specifier)
      if (path === undefined) {
        // Its coming is a change, too.
        for (const place of places(importer, specifier)) read.set(place, { version: undefined, imports: new Set(), exports: undefined })
        throw new Error(`Cannot find "${specifier}", which ${importer} imports.`)
      }
      if (!/\.[cm]?[jt]s$/.test(path) || path.includes(`${sep}node_modules${sep}`)) return await jiti.import(path)
      known?.imports.add(path)
      return await evaluate(path)
    }

    // Only a transform of one's own is told which file it is.
    const plain = this.#jiti.createJiti(file, { fsCache: false })
    const jiti: Jiti = this.#jiti.createJiti(file, {
      fsCache: false,
      moduleCache: false,
      interopDefault: true,
      transform: (options) => ({
        code: plain.transform({ ...options, babel: { ...options.babel, plugins: [markRelativeImports(options.filename!)] } }),
      }),
      virtualModules: new Proxy(
        {},
        {
          has: (_, id) => typeof id === 'string' && (isOwn(id) || readMark(id) !== undefined),
          get: (_, id) => {
            const marked = readMark(String(id))
            return marked ? importRelative(marked.importer, marked.specifier) : importOwn(String(id))
          },
        },
      ),
    })

    const outcome = (async () => await evaluate(file))()
    return {
      get seen() {
        return new Map([...read].map(([path, { version }]) => [path, version]))
      },
      outcome,
      keep: () => {
        isKept = true
        for (const [path, module] of read) if (cache[path]) keep(path, module)
        this.#keepRequired(file, cache, read)
      },
    }
  }

  /** Forgets the files that changed and those that import them. Gives back all that are forgotten. */
  forget(changed: Iterable<string>): ReadonlySet<string> {
    const stale = new Set(changed)
    // A set is walked to its end, however long it grows on the way.
    for (const path of stale) for (const [importer, { imports }] of this.#kept) if (imports.has(path)) stale.add(importer)
    for (const path of stale) this.#kept.delete(path)
    return stale
  }

  clear(): void {
    this.#kept.clear()
  }

  /** A kept module and all that it is made of. */
  #below(path: string, found = new Map<string, Module>()): ReadonlyMap<string, Module> {
    const module = this.#kept.get(path)
    if (!module || found.has(path)) return found
    found.set(path, module)
    for (const other of module.imports) this.#below(other, found)
    return found
  }

  /** What came in by another way than an import with a literal: counted as the file's own. */
  #keepRequired(file: string, cache: ModuleCache, read: Map<string, Module>): void {
    for (const [path, { exports }] of Object.entries(cache)) {
      if (read.has(path) || path.includes(`${sep}node_modules${sep}`)) continue
      const module: Module = { version: versionOf(path), imports: new Set(), exports }
      read.set(path, module)
      read.get(file)?.imports.add(path)
      this.#kept.set(path, module)
    }
  }
}

const isOwn = (id: string): boolean => id === 'lena-agent' || id.startsWith('lena-agent/')

/** The application's own copy of this package, wherever the file lies: there must be one of each class. */
const importOwn = (id: string): Promise<unknown> => (id === 'lena-agent' ? import('../index.ts') : import(id))

function resolveFrom(jiti: Jiti, importer: string, specifier: string): string | undefined {
  const found: unknown = jiti.esmResolve(specifier, { parentURL: pathToFileURL(importer), try: true })
  if (found === undefined) return undefined
  // An address, as an object or a text, or a path: it depends on how it was found.
  const place = String(found)
  return normalize(place.startsWith('file:') ? fileURLToPath(place) : place)
}

function places(importer: string, specifier: string): readonly string[] {
  const path = join(dirname(importer), specifier)
  return [path, `${path}.ts`, `${path}.js`, path.replace(/\.([cm]?)js$/, '.$1ts')]
}
