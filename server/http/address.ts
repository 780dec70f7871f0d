// Who is on the other end: the socket's address, or what a trusted proxy says about it (TRUSTED_PROXIES).
import { type BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import { type Config, networksOf } from '../config.ts'

const lists = new WeakMap<readonly string[], BlockList>()

/** The caller's address without the IPv4-in-IPv6 prefix; '' when there is no socket (tests that call fetch directly). */
export function clientAddress(config: Pick<Config, 'trusted_proxies'>, c: Context): string {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  const remote = env?.incoming?.socket?.remoteAddress ?? ''
  return addressOf(config, remote, c.req.header('x-forwarded-for') ?? '')
}

/** The same from a socket's address and the X-Forwarded-For header. */
export function addressOf(
  config: Pick<Config, 'trusted_proxies'>,
  remote: string,
  forwarded_for: string,
): string {
  const socket = plain(remote)
  if (config.trusted_proxies.length === 0) return socket
  const trusted = listOf(config.trusted_proxies)
  // From the right: each hop was written by the one after it; the first that is no proxy of ours is the caller.
  const hops = forwarded_for
    .split(',')
    .map(addressOfHop)
    .filter((hop) => hop !== '')
  let address = socket
  while (hops.length > 0 && isTrusted(trusted, address)) {
    const hop = hops.pop() as string
    if (isIP(hop) === 0) break
    address = hop
  }
  return address
}

export function isTrustedAddress(proxies: readonly string[], address: string): boolean {
  return proxies.length > 0 && isTrusted(listOf(proxies), plain(address))
}

const plain = (address: string): string => address.replace(/^::ffff:/i, '')

/** One hop as proxies write it: some put the port behind it, and an IPv6 address into brackets. */
function addressOfHop(text: string): string {
  const hop = text.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed, bare] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  return plain(bracketed ?? bare ?? hop)
}

function isTrusted(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function listOf(proxies: readonly string[]): BlockList {
  const known = lists.get(proxies)
  if (known) return known
  const list = networksOf(proxies)
  lists.set(proxies, list)
  return list
}
