// 驗證紀錄 on the device: the whole chain as the server tells it, computed again here and held against what this device was told before.
import { CHAIN_LIMIT } from '#contract/limits.ts'
import { type SignalRecord, strategyChain } from '#contract/signal.ts'
import { type ChainLink, canonical, GENESIS, linkText, verifyChain } from '#trading/chain.ts'
import { isRedacted } from '#trading/record.ts'
import type { Client } from '../client.ts'
import type { Ctx } from '../context.ts'
import { NetworkError } from '../failure.ts'

export interface CheckAsk {
  client: Client
  ctx: Ctx
  strategy_id: string
  /** The strategy's records on this device, in any order. */
  own: readonly SignalRecord[]
  /** A member's part of the record may begin later than its first one (the server then tells the hash before). */
  partial?: boolean
  /** Only what is on the device: the network is known to be gone. */
  offline: boolean
  signal: AbortSignal
  /** Records done, of how many (null until the first page is here). */
  on_progress(done: number, total: number | null): void
  sha256?: Sha256
}
export type Sha256 = (text: string) => Promise<string>

/** `source` device: the server could not be asked, only what is stored here was checked. */
export type ChainCheck =
  | {
      ok: true
      source: 'server' | 'device'
      /** Records that fit. */
      count: number
      /** The first and the last of them; null when there is none. `at` null on the device alone. */
      first_seq: number | null
      head: { chain_seq: number; hash: string; at: string | null } | null
      /** Of these this device held a copy, which is the same. */
      compared: number
      /** Of these only the link in the chain is told, nothing of their content: it was not checked. Absent when none is. */
      links?: number
      /** Numbers missing between the records of this device (it keeps only the newest of all strategies). */
      gaps: number
    }
  | { ok: false; source: 'server' | 'device'; chain_seq: number; reason: string; checked: number }

/** The browser computes hashes only on https and localhost. */
export class Insecure extends Error {
  constructor() {
    super('no crypto.subtle here')
    this.name = 'Insecure'
  }
}

/** Checks a strategy's record. Throws `Insecure`, `ApiError` of a refusal, or the abort of `signal`. */
export async function checkRecord(ask: CheckAsk): Promise<ChainCheck> {
  const sha256 = ask.sha256 ?? subtle()
  if (ask.offline) return checkOwn(ask, sha256)
  try {
    return await checkServer(ask, sha256)
  } catch (error) {
    ask.signal.throwIfAborted()
    if (!(error instanceof NetworkError)) throw error
    return checkOwn(ask, sha256)
  }
}

async function checkServer(ask: CheckAsk, sha256: Sha256): Promise<ChainCheck> {
  const { client, ctx, strategy_id: id, signal, on_progress } = ask
  const own = new Map(ask.own.map((record) => [record.chain_seq, record]))
  const source = 'server'
  let [prev, begin, after, compared, links] = [GENESIS, 0, 0, 0, 0]
  for (;;) {
    const { items, head, anchor } = await client.call(strategyChain, { id, after }, { ctx, signal })
    const [first] = items
    if (ask.partial && after === 0 && first && anchor !== GENESIS) {
      begin = first.chain_seq - 1
      ;[prev, after] = [anchor, begin]
    }
    on_progress(after, head?.chain_seq ?? 0)
    const verdict = await verifyChain(items, await inOrder(items, sha256), {
      anchor: prev,
      first_seq: after + 1,
    })
    if (!verdict.ok) return { ...verdict, source, checked: after - begin + verdict.index }
    links += verdict.links ?? 0
    for (const item of items) {
      const held = own.get(item.chain_seq)
      if (!held) continue
      const reason = unlike(held, item)
      if (reason) return { ok: false, source, chain_seq: item.chain_seq, reason, checked: item.chain_seq - 1 }
      compared += 1
    }
    const last = items.at(-1)
    if (last) [prev, after] = [last.hash, last.chain_seq]
    on_progress(after, head?.chain_seq ?? 0)
    signal.throwIfAborted()
    if (items.length === CHAIN_LIMIT && after < (head?.chain_seq ?? 0)) continue
    const nothing_shown = ask.partial && after === 0
    const short = nothing_shown ? null : (endFault(after, prev, head) ?? lostFault(ask.own, after))
    if (short) return { ok: false, source, ...short, checked: after }
    // A member to whom nothing is shown yet is not told where the chain begins for it: there is nothing to check.
    const count = after - begin
    return {
      ok: true,
      source,
      count,
      first_seq: count > 0 ? begin + 1 : null,
      head: count > 0 ? head : null,
      compared,
      ...(links > 0 && { links }),
      gaps: 0,
    }
  }
}

/** What the device was told first counts: a chain written anew fits in itself, but not with this. */
function unlike(held: SignalRecord, item: ChainLink): string | null {
  if (held.hash !== item.hash)
    return `伺服器上的第 ${item.chain_seq} 筆，和這支裝置先前收到的不同：歷史被改寫過`
  // Without a content on one side the hash is all there is to compare.
  return item.canonical === null || isRedacted(held) || canonicalOrNull(held) === item.canonical
    ? null
    : `這支裝置上的第 ${item.chain_seq} 筆，內容和伺服器上的不同`
}

function endFault(after: number, prev: string, head: { chain_seq: number; hash: string } | null) {
  if ((head?.chain_seq ?? 0) === after && (head?.hash ?? GENESIS) === prev) return null
  if (head && head.chain_seq > after)
    return {
      chain_seq: after + 1,
      reason: `紀錄只到第 ${after} 筆，但應有 ${head.chain_seq} 筆：結尾被刪去`,
    }
  return { chain_seq: after, reason: `第 ${after} 筆與伺服器記載的最後一筆不同` }
}

function lostFault(own: readonly SignalRecord[], after: number) {
  const lost = own.filter(({ chain_seq }) => chain_seq > after).map(({ chain_seq }) => chain_seq)
  if (lost.length === 0) return null
  const chain_seq = Math.min(...lost)
  return { chain_seq, reason: `這支裝置收過第 ${chain_seq} 筆，伺服器上卻沒有：結尾被刪去` }
}

async function checkOwn({ own, on_progress, signal }: CheckAsk, sha256: Sha256): Promise<ChainCheck> {
  const records = [...own].sort((a, b) => a.chain_seq - b.chain_seq)
  const source = 'device'
  let [done, gaps, links] = [0, 0, 0]
  while (done < records.length) {
    const start = records[done] as SignalRecord
    const before = records[done - 1]
    if (before) gaps += start.chain_seq - before.chain_seq - 1
    // One unbroken run at a time, in pieces that let the screen move.
    let to = done + 1
    while (to < records.length && to - done < CHAIN_LIMIT && follows(records, to)) to += 1
    const run = records.slice(done, to).map(itemOf)
    const joined = before && before.chain_seq + 1 === start.chain_seq
    const anchor = joined ? before.hash : start.prev_hash
    const verdict = await verifyChain(run, await inOrder(run, sha256), {
      anchor,
      first_seq: start.chain_seq,
    })
    if (!verdict.ok) return { ...verdict, source, checked: done + verdict.index }
    done = to
    links += verdict.links ?? 0
    on_progress(done, records.length)
    signal.throwIfAborted()
  }
  const last = records.at(-1)
  const head = last ? { chain_seq: last.chain_seq, hash: last.hash, at: null } : null
  const first_seq = records[0]?.chain_seq ?? null
  const count = records.length
  return { ok: true, source, count, first_seq, head, compared: count, ...(links > 0 && { links }), gaps }
}

function follows(records: readonly SignalRecord[], at: number): boolean {
  return records[at]?.chain_seq === (records[at - 1]?.chain_seq ?? 0) + 1
}

function itemOf(record: SignalRecord): ChainLink {
  const { chain_seq, prev_hash, hash } = record
  return {
    chain_seq,
    prev_hash,
    hash,
    canonical: isRedacted(record) ? null : (canonicalOrNull(record) ?? ''),
  }
}

function canonicalOrNull(record: SignalRecord): string | null {
  try {
    return canonical(record)
  } catch (error) {
    // A copy that cannot be written down is a copy that does not fit, which is what is asked.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The page's hashes computed side by side; verifyChain asks for them one after the other, each once. */
async function inOrder(items: readonly ChainLink[], sha256: Sha256): Promise<() => string> {
  const told = items.flatMap(({ prev_hash, canonical }) =>
    canonical === null ? [] : linkText(prev_hash, canonical),
  )
  const hashes = await Promise.all(told.map((text) => sha256(text)))
  let next = 0
  return () => hashes[next++] as string
}

function subtle(): Sha256 {
  // Typed as always there; it is missing on plain http.
  const api = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (!api) throw new Insecure()
  const encoder = new TextEncoder()
  return async (text) => {
    const digest = new Uint8Array(await api.digest('SHA-256', encoder.encode(text)))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}
