// What limits count as one sender.
import { isIPv6 } from 'node:net'

/** What one subscriber holds: the address, or the first four groups (/64) of an IPv6 address. */
export function network(ip: string): string {
  if (!isIPv6(ip)) return ip
  // `::` stands for as many groups of zeros as are missing; a zone (%eth0) is no part of the address.
  const [address = ''] = ip.split('%')
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  // An IPv4 address written at the end fills two groups.
  const written = groups.length + after.length + (address.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - written
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}
