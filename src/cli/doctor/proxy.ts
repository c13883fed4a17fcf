import type { Check } from './finding.ts'

const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']

/** Which variables are set, and the hosts of the proxies: a password may stand before the host. */
export const proxy: Check = async ({ io }) => {
  const said = names.flatMap((name) => {
    const value = io.env[name] ?? io.env[name.toLowerCase()]
    if (!value) return []
    return [name === 'NO_PROXY' ? `${name} ${value}` : `${name} ${URL.canParse(value) ? new URL(value).host : '(no address)'}`]
  })
  return said.length === 0 ? [] : [{ state: 'good', about: 'proxy', said: said.join(', ') }]
}
