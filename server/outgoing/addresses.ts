// Which addresses may be called: public ones, and those the operator allows (threat T22).
import { type BlockList, isIP } from 'node:net'
import { networksOf } from '../config/networks.ts'

/** `allowed` ones were named by the operator and may also be called without https. */
export type AddressClass = 'public' | 'allowed' | 'forbidden'

/** Everything of IPv4 that is nobody's on the public net (IANA's special-purpose registry). */
const NOT_PUBLIC = networksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])
/** Of IPv6 only this is handed out as public … */
const GLOBAL = networksOf(['2000::/3'])
/** … but for tunnels, which carry an IPv4 address inside, and for what stands in manuals. */
const NOT_GLOBAL = networksOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
/** An IPv4 address in its last 32 bits: mapped, and as NAT64 writes it. */
const CARRIES_V4 = networksOf(['::ffff:0:0/96', '64:ff9b::/96'])

/** A judge of addresses, by the networks of OUTGOING_ALLOW. */
export function judgeOf(outgoing_allow: readonly string[]): (address: string) => AddressClass {
  const allowed = networksOf(outgoing_allow)
  return (written) => {
    const address = plain(written)
    if (isIP(address) === 0) return 'forbidden'
    if (isIn(allowed, address)) return 'allowed'
    if (isIP(address) === 4) return isIn(NOT_PUBLIC, address) ? 'forbidden' : 'public'
    return isIn(GLOBAL, address) && !isIn(NOT_GLOBAL, address) ? 'public' : 'forbidden'
  }
}

/** An IPv4 address that is written as IPv6 becomes what it is; a zone (%eth0) exists only for addresses that are not public. */
function plain(address: string): string {
  if (isIP(address) !== 6 || address.includes('%') || !isIn(CARRIES_V4, address)) return address
  // As URLs write it, the last two groups are hexadecimal; a dotted end becomes such, too.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function isIn(list: BlockList, address: string): boolean {
  if (address.includes('%')) return false
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
