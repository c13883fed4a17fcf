import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './scripts/closing-line.ts'
import { decorators } from './scripts/decorators.ts'

const globalSetup = ['scripts/temporary-folder.ts']

export default defineConfig({
  plugins: [decorators()],
  // `lena-agent` and its subpaths are the sources, as tsconfig.json says.
  resolve: { tsconfigPaths: true },
  test: {
    // What is kept for the user is not kept by tests.
    env: { XDG_STATE_HOME: join(tmpdir(), 'lena-agent-tests') },
    // Files of one process share their modules: to load them anew for each file costs more than all the tests. So nothing that a file
    // needs is set up by importing it.
    isolate: false,
    // No test says how long something takes. A machine that does other things too may need many times the usual five seconds, and
    // what hangs is found by this as well.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One more than there are cores: most of what waits here waits for processes.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new ClosingLine()],
    coverage: { include: ['src/**'] },
    projects: [
      {
        extends: true,
        test: { name: 'unit', globalSetup, include: ['test/**/*.test.ts'], exclude: ['test/long/**'] },
      },
      {
        extends: true,
        test: { name: 'long', globalSetup, include: ['test/long/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
      },
    ],
  },
})
