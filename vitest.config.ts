import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './scripts/closing-line.ts'
import { decorators } from './scripts/decorators.ts'

export default defineConfig({
  plugins: [decorators()],
  // `lena-agent` and its subpaths are the sources, as tsconfig.json says.
  resolve: { tsconfigPaths: true },
  test: {
    // What is kept for the user is not kept by tests.
    env: { XDG_STATE_HOME: join(tmpdir(), 'lena-agent-tests') },
    reporters: ['default', new ClosingLine()],
    coverage: { include: ['src/**'] },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/long/**'] },
      },
      {
        extends: true,
        test: { name: 'long', include: ['test/long/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
      },
    ],
  },
})
