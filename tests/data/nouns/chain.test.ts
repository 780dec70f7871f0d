// 驗證紀錄 on the device: every page checked here, held against what the device was told before, and what it can say alone.
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { CHAIN_LIMIT } from '#contract/limits.ts'
import type { ChainPage, SignalRecord } from '#contract/signal.ts'
import type { Client } from '#data/client.ts'
import { NetworkError } from '#data/failure.ts'
import { type CheckAsk, checkRecord } from '#data/nouns/chain.ts'
import { record } from '#tests/trading/records.ts'
import { type ChainItem, canonical, GENESIS, linkText } from '#trading/chain.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Side {
  items: ChainItem[]
  records: SignalRecord[]
}
/** A chain of `count` records as the server tells it and as a device holds it. */
function chainOf(count: number, priceOf = (seq: number) => 23_000 + seq): Side {
  const side: Side = { items: [], records: [] }
  let prev_hash = GENESIS
  for (let chain_seq = 1; chain_seq <= count; chain_seq++) {
    const own = record(chain_seq, 'buy', 1, priceOf(chain_seq))
    const text = canonical(own)
    const hash = sha256(linkText(prev_hash, text))
    side.items.push({ chain_seq, prev_hash, hash, canonical: text })
    side.records.push({ ...own, prev_hash, hash } as SignalRecord)
    prev_hash = hash
  }
  return side
}

describe('check of a record', () => {
  let asked = 0
  let progress: [number, number | null][] = []
  beforeEach(() => {
    asked = 0
    progress = []
  })

  /** A check against a server that tells `items` and `head` (default: the last of them). */
  function ask(items: ChainItem[], own: SignalRecord[], over: Partial<CheckAsk> = {}, head = items.at(-1)) {
    const call = async (_endpoint: unknown, { after }: { after: number }): Promise<ChainPage> => {
      asked += 1
      const at = '2026-11-20T01:00:00.000Z'
      return {
        items: items.filter(({ chain_seq }) => chain_seq > after).slice(0, CHAIN_LIMIT),
        head: head ? { chain_seq: head.chain_seq, hash: head.hash, at } : null,
        anchor: GENESIS,
      }
    }
    return checkRecord({
      client: { call } as unknown as Client,
      ctx: 'personal',
      strategy_id: 'x',
      own,
      offline: false,
      signal: new AbortController().signal,
      on_progress: (done, total) => progress.push([done, total]),
      ...over,
    })
  }

  test.each([0, 1, CHAIN_LIMIT - 1, CHAIN_LIMIT, CHAIN_LIMIT + 1, 2 * CHAIN_LIMIT + 7])(
    'a whole chain of %i',
    async (count) => {
      const { items, records } = chainOf(count)
      const head = items.at(-1)
      expect(await ask(items, records.slice(-5))).toEqual({
        ok: true,
        source: 'server',
        count,
        first_seq: count === 0 ? null : 1,
        head: head ? { chain_seq: count, hash: head.hash, at: '2026-11-20T01:00:00.000Z' } : null,
        compared: Math.min(count, 5),
        gaps: 0,
      })
      expect(asked).toBe(Math.max(1, Math.ceil(count / CHAIN_LIMIT)))
      expect(progress.at(-1)).toEqual([count, count])
    },
  )

  test('an altered record is named, also on a later page', async () => {
    for (const at of [3, CHAIN_LIMIT, CHAIN_LIMIT + 5]) {
      const { items } = chainOf(CHAIN_LIMIT + 9)
      const item = items[at - 1] as ChainItem
      item.canonical = item.canonical.replace('"price":2', '"price":1')
      expect(await ask(items, [])).toMatchObject({ ok: false, chain_seq: at, checked: at - 1 })
    }
  })

  test('an end cut off is found by the head, by the head’s hash, and by what the device was told', async () => {
    const { items, records } = chainOf(9)
    const cut = items.slice(0, 7)
    expect(await ask(cut, [], {}, items[8])).toMatchObject({ ok: false, chain_seq: 8 })
    const other = { ...(cut[6] as ChainItem), hash: 'a'.repeat(64) }
    expect(await ask(cut, [], {}, other)).toMatchObject({ ok: false, chain_seq: 7 })
    expect(await ask(cut, records)).toMatchObject({ ok: false, chain_seq: 8, checked: 7 })
    expect(await ask([], records.slice(2), {}, undefined)).toMatchObject({ ok: false, chain_seq: 3 })
    expect(await ask(cut, records.slice(0, 7))).toMatchObject({ ok: true, compared: 7 })
  })

  test('a history written anew fits in itself, but not with the device’s copy', async () => {
    const told = chainOf(9)
    const forged = chainOf(9, (seq) => 23_000 + seq + (seq >= 4 ? 1 : 0))
    expect(await ask(forged.items, [])).toMatchObject({ ok: true })
    expect(await ask(forged.items, told.records.slice(5))).toMatchObject({
      ok: false,
      chain_seq: 6,
      reason: expect.stringContaining('改寫'),
    })
  })

  test('a copy altered on the device does not pass either', async () => {
    const { items, records } = chainOf(5)
    records[2] = { ...(records[2] as SignalRecord), price: 1 }
    expect(await ask(items, records)).toMatchObject({ ok: false, chain_seq: 3 })
    expect(await ask([], records, { offline: true })).toMatchObject({
      ok: false,
      source: 'device',
      chain_seq: 3,
      checked: 2,
    })
  })

  test('without a server: what is stored, in any order, with gaps counted, nothing claimed beyond', async () => {
    const { records } = chainOf(CHAIN_LIMIT + 20)
    const own = [...records.slice(4, 6), ...records.slice(9)].reverse()
    const told = { ok: true, source: 'device', count: own.length, first_seq: 5, gaps: 3 }
    expect(await ask([], own, { offline: true })).toMatchObject(told)
    expect(asked).toBe(0)
    const call = () => Promise.reject(new NetworkError('unreachable'))
    const client = { call } as unknown as Client
    expect(await ask([], own, { client })).toMatchObject(told)
    expect(await ask([], [], { offline: true })).toMatchObject({ ok: true, count: 0, head: null })
    const broken = own.map((one) => (one.chain_seq === CHAIN_LIMIT + 15 ? { ...one, price: 1 } : one))
    expect(await ask([], broken, { offline: true })).toMatchObject({
      ok: false,
      chain_seq: CHAIN_LIMIT + 15,
    })
  })

  test('a link without content is followed and counted, never called checked; the device’s own copy of it, too', async () => {
    const { items, records } = chainOf(7)
    const links = items.map((item) =>
      item.chain_seq === 5 ? { ...item, canonical: null } : item,
    ) as ChainItem[]
    const blind = { source: 'void', refers_to: null, symbol: '', price: null, quantity: null } as const
    const own = records.map((one) => (one.chain_seq === 5 ? { ...one, ...blind } : one))
    const told = { ok: true, count: 7, compared: 7, links: 1 }
    expect(await ask(links, own)).toMatchObject({ ...told, source: 'server' })
    expect(await ask([], own, { offline: true })).toMatchObject({ ...told, source: 'device' })
    // Access that grew since, or shrank: the hash still is the same, or it is not.
    expect(await ask(items, own)).toMatchObject({ ok: true, compared: 7 })
    expect(await ask(links, records)).toMatchObject({ ok: true, compared: 7, links: 1 })
    const forged = chainOf(7, (seq) => 23_000 + seq + (seq >= 5 ? 1 : 0)).items
    const hidden = forged.map((item) => ({ ...item, canonical: null })) as unknown as ChainItem[]
    expect(await ask(hidden, own)).toMatchObject({ ok: false, chain_seq: 5 })
    const cut = own.map((one) => (one.chain_seq === 5 ? { ...one, hash: 'a'.repeat(64) } : one))
    expect(await ask([], cut, { offline: true })).toMatchObject({ ok: false, chain_seq: 6 })
    // Only a void or correction can be one.
    const plain = own.map((one) => (one.chain_seq === 4 ? { ...one, price: null } : one)) as SignalRecord[]
    expect(await ask([], plain, { offline: true })).toMatchObject({ ok: false, chain_seq: 4 })
  })

  test('leaving the screen ends it', async () => {
    const { items } = chainOf(3)
    const stop = new AbortController()
    stop.abort()
    await expect(ask(items, [], { signal: stop.signal })).rejects.toThrow(/abort/i)
  })
})
