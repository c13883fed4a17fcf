// Runs in a thread of its own. What it imports is loaded there, not in the main thread.
import type { WorkerRun } from 'lena-agent'
import type { countPrimes } from '../worker.ts'

const run: WorkerRun<typeof countPrimes> = async function* ({ below }) {
  let count = 0
  for (let n = 2; n < below; n++) {
    if (isPrime(n)) count++
    // Each yield is a progress event.
    if (n % 50_000 === 0) yield { at: n, count }
  }
  return { count }
}

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false
  return true
}

export default run
