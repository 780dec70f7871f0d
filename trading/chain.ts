// The chain of hashes over the facts: what is hashed, how it is linked, how a break is found and named (wire §6).
import type { Facts } from './record.ts'

/** prev_hash of the first record. */
export const GENESIS = '0'.repeat(64)

/** Exactly the keys that are hashed, in RFC 8785 order (all names are ASCII, so code units sort plainly). */
export const FACT_KEYS = [
  'action',
  'asset',
  'body_sha256',
  'chain_seq',
  'contract',
  'created_by',
  'external_id',
  'id',
  'note',
  'occurred_at',
  'price',
  'quantity',
  'reason',
  'received_at',
  'refers_to',
  'reported_prev',
  'source',
  'strategy_id',
  'symbol',
  'symbol_raw',
  'target_position',
  'timeframe',
  'unit',
] as const satisfies readonly (keyof Facts)[]

const NAMED_KEYS = FACT_KEYS.map((key) => [key, `${JSON.stringify(key)}:`] as const)

/**
 * RFC 8785 text of the facts: only the keys above, whatever else the object carries. Facts are flat texts, numbers and
 * nulls, for which JSON.stringify already writes what the RFC asks for. RangeError on a missing key, a number that is
 * not finite, or a lone surrogate (which has no UTF-8).
 */
export function canonical(facts: Facts): string {
  const parts = NAMED_KEYS.map(([key, name]) => {
    const value: unknown = facts[key]
    const fits =
      value === null ||
      (typeof value === 'string' && value.isWellFormed()) ||
      (typeof value === 'number' && Number.isFinite(value))
    if (!fits) throw new RangeError(`facts.${key} cannot be written`)
    return name + JSON.stringify(value)
  })
  return `{${parts.join(',')}}`
}

/** The text whose SHA-256 in hex is the record's hash. */
export function linkText(prev_hash: string, canonicalText: string): string {
  return `${prev_hash}\n${canonicalText}`
}

/** One row of a chain page or an export. */
export interface ChainItem {
  chain_seq: number
  prev_hash: string
  hash: string
  canonical: string
}

/** One whose content its reader is not told has none: only the link it is. */
export type ChainLink = Omit<ChainItem, 'canonical'> & { canonical: string | null }

type ChainFault = 'sequence' | 'prev_hash' | 'content' | 'hash'

type ChainVerdict =
  /** `links`: how many of them are links without content, of which only their place was checked; absent when none is. */
  | { ok: true; head: { chain_seq: number; hash: string } | null; links?: number }
  | { ok: false; index: number; chain_seq: number; fault: ChainFault; reason: string }

interface ChainStart {
  /** The hash before the first item; GENESIS unless the part given begins later. */
  anchor?: string
  /** chain_seq the first item must have; 1 from GENESIS, free after another anchor unless given. */
  first_seq?: number
  /** The known head: a chain that was cut short at its end is found only with it. */
  head?: { chain_seq: number; hash: string } | null
}

/**
 * Walks a chain and names the first record that does not fit and why; `sha256` gives lower-case hex of UTF-8 text. A link
 * without content holds the chain together and proves nothing of what it stands for: such are counted apart.
 */
export async function verifyChain(
  items: readonly ChainLink[],
  sha256: (text: string) => string | Promise<string>,
  start: ChainStart = {},
): Promise<ChainVerdict> {
  let prev = start.anchor ?? GENESIS
  let expected = start.first_seq ?? (prev === GENESIS ? 1 : items[0]?.chain_seq)
  for (const [index, item] of items.entries()) {
    const bad = (fault: ChainFault, reason: string): ChainVerdict => ({
      ok: false,
      index,
      chain_seq: item.chain_seq,
      fault,
      reason,
    })
    if (item.chain_seq !== expected)
      return bad('sequence', `第 ${expected} 筆的位置上是第 ${item.chain_seq} 筆：有紀錄被移除、插入或調換`)
    if (item.prev_hash !== prev)
      return bad('prev_hash', `第 ${item.chain_seq} 筆記載的前一筆雜湊與實際的前一筆不符`)
    if (item.canonical !== null) {
      if (seqInside(item.canonical) !== item.chain_seq)
        return bad('content', `第 ${item.chain_seq} 筆的內容自稱是別的序號`)
      if ((await sha256(linkText(prev, item.canonical))) !== item.hash)
        return bad('hash', `第 ${item.chain_seq} 筆的內容與雜湊不符：內容被更動過`)
    }
    prev = item.hash
    expected = item.chain_seq + 1
  }
  return end(items, start)
}

function end(items: readonly ChainLink[], start: ChainStart): ChainVerdict {
  const last = items.at(-1)
  const links = items.filter(({ canonical }) => canonical === null).length
  const head = last ? { chain_seq: last.chain_seq, hash: last.hash } : null
  if (!start.head || (head?.chain_seq === start.head.chain_seq && head.hash === start.head.hash))
    return { ok: true, head, ...(links > 0 && { links }) }
  const chain_seq = (head?.chain_seq ?? 0) + 1
  const reason = `紀錄只到第 ${chain_seq - 1} 筆，但應有 ${start.head.chain_seq} 筆：結尾缺少或不同`
  return { ok: false, index: items.length, chain_seq, fault: 'sequence', reason }
}

function seqInside(text: string): unknown {
  try {
    const facts: unknown = JSON.parse(text)
    return typeof facts === 'object' && facts !== null ? (facts as { chain_seq?: unknown }).chain_seq : null
  } catch {
    // Not JSON: the content cannot name its own number, which is the fault reported.
    return null
  }
}
