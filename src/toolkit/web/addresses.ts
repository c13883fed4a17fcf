/**
 * The bytes of an IP address, 4 or 16; `undefined` for what is none. Of IPv4 only the form with four decimal numbers counts: what else
 * stands for one in an address of the web, `new URL()` has brought into it.
 */
export function bytesOf(text: string): readonly number[] | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/s, '')
  return bare.includes(':') ? sixteen(bare) : four(bare)
}

function four(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || parts.some((part) => !/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255)) return undefined
  return parts.map(Number)
}

function sixteen(text: string): readonly number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1))
  if (!head || (halves.length === 2 && !tail)) return undefined
  if (!tail) return head.length === 16 ? head : undefined
  const missing = 16 - head.length - tail.length
  return missing >= 2 ? [...head, ...Array.from({ length: missing }, () => 0), ...tail] : undefined
}

/** The bytes of groups between colons; the last of an address may be written as IPv4. */
function groupsOf(text: string, isLast: boolean): readonly number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    if (group.includes('.')) {
      const embedded = isLast && index === groups.length - 1 ? four(group) : undefined
      if (!embedded) return undefined
      bytes.push(...embedded)
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    }
  }
  return bytes
}

/** Not of the public network: this host, private, shared, link-local, for documents and tests, multicast, reserved. The last is where a cloud answers its machines. */
const closedFour = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
]
/** Of the global addresses: those of protocols (with Teredo), for documents, and 6to4, in which an IPv4 address may hide. */
const closedSix = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const openSix = '2000::/3'
/** The last four bytes are an IPv4 address, to which packets go: mapped, and translated by the network. */
const embedding = ['::ffff:0:0/96', '64:ff9b::/96']

/** May be reached by anybody on the public network. What is no address is not public. */
export function isPublicAddress(address: string): boolean {
  const bytes = bytesOf(address)
  if (!bytes) return false
  if (bytes.length === 4) return !closedFour.some((block) => isWithin(bytes, block))
  if (embedding.some((block) => isWithin(bytes, block))) return isPublicAddress(bytes.slice(12).join('.'))
  return isWithin(bytes, openSix) && !closedSix.some((block) => isWithin(bytes, block))
}

function isWithin(bytes: readonly number[], block: string): boolean {
  const [base = '', size = ''] = block.split('/')
  const wanted = bytesOf(base)!
  const bits = Number(size)
  return bytes.every((byte, index) => {
    const left = Math.min(8, Math.max(0, bits - index * 8))
    return byte >> (8 - left) === wanted[index]! >> (8 - left)
  })
}
