import { transform } from 'esbuild'
import type { Plugin } from 'vite'

/** Compiles standard decorators. Node has none yet, and what vite 8 compiles with leaves them as they are. */
export function decorators(): Plugin {
  return {
    name: 'decorators',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('.ts') || !/^\s*@[\w.]+/m.test(code)) return undefined
      const compiled = await transform(code, {
        loader: 'ts',
        format: 'esm',
        target: 'node20.19',
        sourcefile: id,
        sourcemap: true,
        tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, verbatimModuleSyntax: true } },
      })
      return { code: compiled.code, map: compiled.map }
    },
  }
}
