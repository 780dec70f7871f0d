// Networks in variables: addresses and CIDR blocks, as TRUSTED_PROXIES and OUTGOING_ALLOW list them.
import { BlockList, isIP } from 'node:net'

/** The entries of a list between commas or spaces; what is no address and no block goes to `problem`, one line each. */
export function readNetworks(
  name: string,
  raw: string | null,
  problem: (line: string) => void,
): readonly string[] {
  const entries = (raw ?? '').split(/[\s,]+/).filter(Boolean)
  for (const entry of entries)
    if (!isBlock(entry)) problem(`${name}：${entry} 不是 IP 位址或網段（例如 10.0.0.0/8）`)
  return entries
}

/** The same entries, to be asked. */
export function networksOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const v6 = isIP(address) === 6
    list.addSubnet(address, bits === undefined ? (v6 ? 128 : 32) : Number(bits), v6 ? 'ipv6' : 'ipv4')
  }
  return list
}

function isBlock(value: string): boolean {
  const [ip = '', bits, more] = value.split('/')
  const kind = isIP(ip)
  if (kind === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128))
}
