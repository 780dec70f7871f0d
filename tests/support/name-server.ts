// A DNS server on loopback: every name has the addresses it is given, or a new list at every question (rebinding).
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'

export interface NameServer {
  /** For Resolver.setServers. */
  readonly address: string
  /** Names that were asked, once for each kind of record. */
  readonly asked: string[]
  /** What a name answers; a list of lists is given out one after the other, the last for good. */
  set(name: string, answers: readonly string[] | readonly (readonly string[])[]): void
  /** Names whose own servers are out of order (SERVFAIL). */
  readonly broken: Set<string>
  close(): Promise<void>
}

const KINDS: Record<number, 4 | 6> = { 1: 4, 28: 6 }

export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, (readonly string[])[]>()
  const socket = createSocket('udp4')
  const asked: string[] = []
  const broken = new Set<string>()
  socket.on('message', (query, { port, address }) => {
    const { name, kind, end } = questionOf(query)
    asked.push(name)
    const turns = names.get(name)
    const family = KINDS[kind]
    const all = turns?.[0] ?? []
    // A is asked beside AAAA: a turn is over when both have been answered, as far as this server is concerned with A only.
    if (family === 4 && turns && turns.length > 1) turns.shift()
    const found = all.filter((one) => isIP(one) === family)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(broken.has(name) ? 0x8182 : turns ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(found.length, 6)
    header.writeUInt32BE(0, 8)
    const records = found.map((one) => recordOf(one, kind))
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    broken,
    set(name, answers) {
      const turns = answers.filter((one): one is readonly string[] => Array.isArray(one))
      names.set(name, turns.length > 0 ? turns : [answers as readonly string[]])
    },
    close: () => new Promise((done) => socket.close(() => done())),
  }
}

function questionOf(query: Buffer): { name: string; kind: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let size = query[at] as number; size > 0; size = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
  return { name: labels.join('.').toLowerCase(), kind: query.readUInt16BE(at + 1), end: at + 5 }
}

/** One answer that may not be kept (TTL 0), its name pointing at the question's. */
function recordOf(address: string, kind: number): Buffer {
  const data =
    isIP(address) === 4
      ? Buffer.from(address.split('.').map(Number))
      : Buffer.from(groupsOf(address).join(''), 'hex')
  const head = Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.split('::')
  const parts = (text: string) => text.split(':').filter(Boolean)
  const zeros = 8 - parts(head).length - parts(tail).length
  return [...parts(head), ...Array.from({ length: zeros }, () => '0'), ...parts(tail)].map((group) =>
    group.padStart(4, '0'),
  )
}
