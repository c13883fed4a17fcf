import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Says how many tests passed and failed, as the very last line of a run: `12 passed, 0 failed`, and `, 3 skipped` when some were.
 * What failed outside a test (a file that cannot be loaded, an error that nobody caught) is one failure, for a run that fails
 * must not close with none.
 */
export class ClosingLine implements Reporter {
  #line: string | undefined

  onInit(): void {
    // Other reporters print until the end.
    process.once('exit', () => {
      if (this.#line !== undefined) process.stdout.write(`${this.#line}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      const before = counts.failed
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        // A test that never came to its end has not passed.
        counts[state === 'pending' ? 'failed' : state]++
      }
      if (module.state() === 'failed' && counts.failed === before) counts.failed++
    }
    this.#line = `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`
  }
}
