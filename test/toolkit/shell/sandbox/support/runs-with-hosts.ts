import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shell } from '../../../../../src/toolkit/index.ts'

/** Runs a command that single hosts are let through to, says who carries the traffic, and ends in the way that it is told. */
const [workspace = '', way = ''] = process.argv.slice(2)

function carriers(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      return stat.includes('(socat)') && stat.slice(stat.lastIndexOf(')')).split(' ')[2] === String(process.pid)
    } catch {
      return false
    }
  })
}

const run = shell({ workspace, sandbox: { network: ['one.example'] } })
await run(
  { command: 'echo runs; sleep 1000' },
  {
    async progress() {
      writeFileSync(join(workspace, 'carriers'), carriers().join(' '))
      process.kill(process.pid, way)
    },
  },
)
