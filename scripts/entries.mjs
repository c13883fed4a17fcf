// @ts-check

/** Development dependencies that become a part of the bundles. Another one that turns up in them is a mistake until it stands here. */
export const bundled = ['diff', 'eventsource-parser', 'marked', 'partial-json', 'unbash']

/**
 * What package.json publishes, and the source of each: `dist/x.js` is made from `src/x.ts`.
 *
 * @param {{ exports: Record<string, string | { default: string }>, bin: Record<string, string> }} manifest
 * @returns {{ subpath: string | undefined, source: string, output: string }[]} a program has no subpath
 */
export function entriesOf({ exports, bin }) {
  const modules = Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [{ subpath, output: target.default.replace(/^\.\//, '') }],
  )
  const programs = Object.values(bin).map((output) => ({ subpath: undefined, output }))
  return [...modules, ...programs].map((entry) => ({ ...entry, source: entry.output.replace(/^dist\/(.*)\.js$/, 'src/$1.ts') }))
}
