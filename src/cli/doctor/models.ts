import { findLocalServers, providers } from '../../index.ts'
import { findModel } from '../choose-model.ts'
import { valueOf } from '../named-model.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Check } from './finding.ts'

/** Whether keys are set; never what they are. */
export const keys: Check = async ({ io }) => {
  const set = [...new Set(providers.flatMap(({ variables }) => variables))].filter((name) => valueOf(io.env, name) !== undefined)
  return [
    set.length > 0
      ? { state: 'good', about: 'keys', said: `${set.join(', ')} set` }
      : { state: 'note', about: 'keys', said: 'none is set' },
  ]
}

export const servers: Check = async ({ io, workspace }) => {
  const found = await (io.findServers ?? findLocalServers)()
  const { values, sources } = await loadSettings(io, workspace)
  const chosen = await findModel(undefined, io.env, async () => found, sources.model.includes('environment') ? undefined : values.model)
  return [
    found.length > 0
      ? { state: 'good', about: 'local servers', said: found.map(({ name, baseURL }) => `${name} at ${baseURL}`).join(', ') }
      : { state: 'note', about: 'local servers', said: 'none answers' },
    { state: 'good', about: 'model', said: `${chosen.name} is used${chosen.by === 'nothing' ? ', as nothing else is there' : ''}` },
  ]
}
