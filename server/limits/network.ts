// What limits count as one sender: the one place that says it, for every limit that counts addresses.
import { isIPv6 } from 'node:net'

/**
 * A network somebody sends from: how many times as often as one subscriber it may come, and how many times as much it may hold at
 * once. What is held is a stock, a quarter of it for one subscriber at most: so no /48 has more than half of it.
 */
export interface SenderNetwork {
  readonly key: string
  readonly times: number
  readonly holds: number
}

/** Groups of 16 bits and the digits of the last one that count: /64, /56, /48. */
const STEPS = [
  { groups: 4, digits: 4, times: 1, holds: 1 },
  { groups: 4, digits: 2, times: 4, holds: 1.5 },
  { groups: 3, digits: 4, times: 16, holds: 2 },
]

/** What one subscriber holds: the address, or the first four groups (/64) of an IPv6 address. */
export function network(ip: string): string {
  return (senders(ip)[0] as SenderNetwork).key
}

/**
 * Everything an address belongs to, the narrowest first. Providers give a subscriber a /64, a /56 or a whole /48: whoever holds
 * a wide one must not begin anew with each of its thousands of /64s, nor may one of many in a /48 spend the room of all.
 */
export function senders(ip: string): SenderNetwork[] {
  if (!isIPv6(ip)) return [{ key: ip, times: 1, holds: 1 }]
  const all = groupsOf(ip)
  return STEPS.map(({ groups, digits, times, holds }) => {
    const last = (all[groups - 1] ?? '0').padStart(4, '0').slice(0, digits)
    const kept = [...all.slice(0, groups - 1), last].map((group) => group.replace(/^0+(?=.)/, ''))
    return { key: kept.join(':') + (times === 1 ? '' : `/${(groups - 1) * 16 + digits * 4}`), times, holds }
  })
}

function groupsOf(ip: string): string[] {
  // `::` stands for as many groups of zeros as are missing; a zone (%eth0) is no part of the address.
  const [address = ''] = ip.toLowerCase().split('%')
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  // An IPv4 address written at the end fills two groups.
  const written = groups.length + after.length + (address.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - written
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
}
