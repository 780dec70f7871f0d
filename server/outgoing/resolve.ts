// From a name to its addresses. Asked of the name servers themselves: getaddrinfo takes one of the process's four threads for as
// long as a stranger's name server is silent, and whoever signs in meanwhile waits for one.
import { lookup, Resolver } from 'node:dns/promises'
import { OutgoingError } from './failure.ts'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Milliseconds for the first question, and how often it is asked. */
const PATIENCE = { timeout: 1_000, tries: 3 }
const NOBODY = ['ENOTFOUND', 'ENODATA']

/** Asks `servers`, or those of this machine. Names of its own (/etc/hosts) count where private networks may be called at all. */
export function resolverOf(has_own_names: boolean, servers?: readonly string[]): Resolve {
  return async (name) => {
    // RFC 6761 §6.3: never asked of anybody.
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const resolver = new Resolver(PATIENCE)
    if (servers) resolver.setServers(servers)
    const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const errors = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    const nobody = errors.every((error) => NOBODY.includes(codeOf(error)))
    if (has_own_names) {
      const own = await lookup(name, { all: true }).catch(() => [])
      if (own.length > 0) return own.map(({ address }) => address)
    }
    throw new OutgoingError(nobody ? 'unknown_name' : 'name_service', errors[0])
  }
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')
