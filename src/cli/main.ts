#!/usr/bin/env node
import { version } from './version.ts'

// What is asked most often by scripts, and needs nothing else.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // Its reader may have gone.
  process.stdout.on('error', () => {})
  process.stdout.write(`${version}\n`)
} else {
  const { runAsProcess } = await import('./process.ts')
  await runAsProcess()
}
