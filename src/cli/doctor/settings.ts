import { loadSettings } from '../config/load-settings.ts'
import type { Check } from './finding.ts'

export const settings: Check = async ({ io, workspace }) => {
  const { user, project, faults, warnings } = await loadSettings(io, workspace)
  return [
    ...faults.map((said) => ({ state: 'bad', about: 'settings', said }) as const),
    ...warnings.map((said) => ({ state: 'note', about: 'settings', said }) as const),
    ...[user, project]
      .filter(({ exists, faults: wrong }) => exists && wrong.length === 0)
      .map(({ path }) => ({ state: 'good', about: 'settings', said: `${path} can be read` }) as const),
  ]
}
