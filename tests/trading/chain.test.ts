// The chain: RFC 8785 text of exactly the facts, and every change, removal, swap or insertion found and named.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import {
  type ChainItem,
  type ChainLink,
  canonical,
  FACT_KEYS,
  GENESIS,
  linkText,
  verifyChain,
} from '#trading/chain.ts'
import type { Facts } from '#trading/record.ts'
import { record } from './records.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

function chainOf(facts: readonly Facts[], anchor = GENESIS): ChainItem[] {
  let prev_hash = anchor
  return facts.map((f) => {
    const text = canonical(f)
    const item = {
      chain_seq: f.chain_seq,
      prev_hash,
      hash: sha256(linkText(prev_hash, text)),
      canonical: text,
    }
    prev_hash = item.hash
    return item
  })
}
const chain = (n: number) =>
  chainOf(
    Array.from({ length: n }, (_, i) =>
      record(i + 1, 'buy', 1, 46500 + i / 4, { note: `第 ${i} 筆 "突破"\n` }),
    ),
  )

test('canonical text is what the canonicalize package writes, of exactly the 23 keys', () => {
  const facts = record(1, 'buy', 1, 46512.5, { note: '突破 \u0007 "x" 🚀', symbol_raw: 'TAIFEX:MXF1!' })
  expect(canonical(facts)).toBe(canonicalize(facts))
  expect(Object.keys(facts).sort()).toEqual([...FACT_KEYS])
  expect(canonical({ ...facts, seq: 9 } as Facts)).toBe(canonical(facts))
  expect(() => canonical({ ...facts, note: '\ud800' })).toThrow(RangeError)
  expect(() => canonical({ ...facts, price: Number.NaN })).toThrow(RangeError)
  const { note: _, ...without } = facts
  expect(() => canonical(without as Facts)).toThrow(RangeError)
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (note, price) => {
        expect(canonical({ ...facts, note, price })).toBe(canonicalize({ ...facts, note, price }))
      },
    ),
  )
})
test('a fixed vector, so that other implementations can check theirs', () => {
  const [item] = chainOf([record(1, 'buy', 2, 46512)])
  expect(item?.canonical).toBe(
    '{"action":"buy","asset":"futures","body_sha256":null,"chain_seq":1,"contract":"C1","created_by":null,"external_id":null,"id":"0197a000-0000-7000-8000-000000000001","note":null,"occurred_at":"2026-11-20T01:01:00.000Z","price":46512,"quantity":2,"reason":null,"received_at":"2026-11-20T01:01:00.000Z","refers_to":null,"reported_prev":null,"source":"webhook","strategy_id":"0197a000-0000-7000-8000-000000000000","symbol":"MXF","symbol_raw":null,"target_position":null,"timeframe":null,"unit":"lot"}',
  )
  expect(item?.hash).toBe(sha256(`${'0'.repeat(64)}\n${item?.canonical}`))
})
test('whole chains, parts after an anchor, and the head', async () => {
  const items = chain(5)
  const head = { chain_seq: 5, hash: items[4]!.hash }
  expect(await verifyChain(items, sha256, { head })).toEqual({ ok: true, head })
  expect(await verifyChain([], sha256)).toEqual({ ok: true, head: null })
  expect(await verifyChain(items.slice(2), sha256, { anchor: items[1]!.hash })).toEqual({ ok: true, head })
  expect(await verifyChain(items.slice(0, 4), sha256, { head })).toMatchObject({
    ok: false,
    chain_seq: 5,
    fault: 'sequence',
  })
  const faults: [string, ChainItem[], number][] = [
    ['hash', items.with(1, { ...items[1]!, canonical: items[1]!.canonical.replace('46500', '46999') }), 1],
    ['prev_hash', items.with(1, { ...items[1]!, prev_hash: GENESIS }), 1],
    ['sequence', items.toSpliced(1, 1), 1],
    ['content', items.with(1, { ...items[1]!, canonical: items[2]!.canonical }), 1],
  ]
  for (const [fault, bad, index] of faults)
    expect(await verifyChain(bad, sha256)).toMatchObject({ ok: false, fault, index })
})
test('a link without content holds the chain together, and is counted: nothing of it is proved', async () => {
  const items = chain(5)
  const head = { chain_seq: 5, hash: items[4]!.hash }
  const links: ChainLink[] = items.map((item, i) =>
    i === 1 || i === 3 ? { ...item, canonical: null } : item,
  )
  expect(await verifyChain(links, sha256, { head })).toEqual({ ok: true, head, links: 2 })
  expect(await verifyChain(links.slice(1), sha256, { anchor: items[0]!.hash, head })).toMatchObject({
    links: 2,
  })
  const faults: [string, ChainLink[], number][] = [
    // What it says its hash is, is what the next one was built on.
    ['prev_hash', links.with(1, { ...links[1]!, hash: GENESIS }), 2],
    ['prev_hash', links.with(3, { ...links[3]!, prev_hash: GENESIS }), 3],
    ['sequence', links.toSpliced(1, 1), 1],
    ['sequence', links.with(1, { ...links[1]!, chain_seq: 4 }), 1],
    [
      'hash',
      links.with(2, { ...links[2]!, canonical: items[2]!.canonical.replace('"price":4', '"price":5') }),
      2,
    ],
  ]
  for (const [fault, bad, index] of faults)
    expect(await verifyChain(bad, sha256, { head })).toMatchObject({ ok: false, fault, index })
  // The last one's hash is held by the head.
  const last = items.with(4, { ...items[4]!, hash: GENESIS, canonical: null } as never)
  expect(await verifyChain(last, sha256, { head })).toMatchObject({ ok: false, index: 5 })
})
test('any change, removal, swap or insertion is found at the first record that does not fit', async () => {
  const change = fc.constantFrom(
    'canonical',
    'hash',
    'prev_hash',
    'chain_seq',
    'remove',
    'swap',
    'insert',
    'rewrite',
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 8 }), fc.nat(), fc.nat(), change, async (size, a, b, kind) => {
      const items = chain(size)
      const head = { chain_seq: size, hash: items.at(-1)!.hash }
      const i = a % size
      const item = items[i] as ChainItem
      const flip = (text: string, at: number) =>
        `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`
      let bad: ChainItem[]
      if (kind === 'remove') bad = items.toSpliced(i, 1)
      else if (kind === 'insert') bad = items.toSpliced(i, 0, items[b % size] as ChainItem)
      else if (kind === 'swap') {
        const j = (i + 1 + (b % (size - 1))) % size
        bad = items.with(i, items[j] as ChainItem).with(j, item)
      } else if (kind === 'chain_seq')
        bad = items.with(i, { ...item, chain_seq: item.chain_seq + 1 + (b % 9) })
      else if (kind === 'rewrite') {
        // A record changed together with its own hash: the next one, or the head, no longer fits.
        const text = item.canonical.replace('"quantity":1', '"quantity":2')
        bad = items.with(i, { ...item, canonical: text, hash: sha256(linkText(item.prev_hash, text)) })
      } else
        bad = items.with(i, { ...item, [kind]: flip(item[kind as 'hash'], b % item[kind as 'hash'].length) })
      const verdict = await verifyChain(bad, sha256, { head })
      expect(verdict.ok).toBe(false)
      if (!verdict.ok) {
        const first = bad.findIndex((x, n) => JSON.stringify(x) !== JSON.stringify(items[n]))
        const at = kind === 'rewrite' ? first + 1 : first < 0 ? bad.length : first
        expect(verdict.index).toBe(at)
        expect(verdict.reason).toMatch(/第 \d+ 筆/)
      }
    }),
    { numRuns: 500 },
  )
})
