// What limits count as one sender.
import { isIPv6 } from 'node:net'

/** What one subscriber holds: the address, or the /64 of an IPv6 address. */
export function network(ip: string): string {
  return isIPv6(ip) ? ip.split(':').slice(0, 4).join(':') : ip
}
