// A webhook whose messages are read again: what is sent to it, and what has to hold of its strategy whatever was done.
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import { type ChainPage, type SignalRecord, signalFeed, strategyChain } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type Mapping, updateWebhook, type Webhook } from '#contract/webhook.ts'
import { confirmFormat, replayDeliveries } from '#contract/webhook-format.ts'
import { refold } from '#server/record/refold.ts'
import { verifyChain } from '#trading/chain.ts'
import type { Desk, Send } from './desk.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
type Wish = Partial<InputOf<typeof replayDeliveries>>
type Told = OutputOf<typeof replayDeliveries>

export interface Ground {
  strategy: Strategy
  webhook: Webhook
  send: Send
  /** Sends an order whose action is a word of the sender's own, and which says two prices; confirmed as it is mapped, where it is a signal so. */
  order(word: string, over?: Record<string, unknown>): Promise<string>
  /** The webhook's mapping from now on, and what it is read again by. */
  map(mapping: Partial<Mapping> | null): Promise<void>
  try(wish?: Wish): Promise<Told>
  commit(wish?: Wish): Promise<Told>
}

/** A strategy of its own with its webhook. */
export async function openGround(desk: Desk, over: Record<string, unknown> = {}): Promise<Ground> {
  const made = await desk.strategy({ allow_pyramiding: true, max_position: 999, ...over })
  const { webhook, send } = made
  let mapped: { mapping?: Mapping | null } = {}
  const call = (wish: Wish, dry_run: boolean) =>
    desk.person.call(replayDeliveries, { id: webhook.id, dry_run, ...mapped, ...wish })
  return {
    ...made,
    order: async (word, more = {}) => {
      const message = { action: word, symbol: 'MXF1!', quantity: 1, p1: 46_000, p2: 46_100, ...more }
      const { delivery_id, format_id, status } = (await send(JSON.stringify(message))).answer
      const given = { id: webhook.id, format_id: format_id as string, waiting: 'take' as const }
      if (status === 'held' && mapped.mapping)
        await desk.person.call(confirmFormat, { ...given, ...mapped }).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 4220 })
        })
      return delivery_id as string
    },
    map: async (mapping) => {
      const whole = mapping && { fields: {}, words: {}, ...mapping }
      const { mapping: stored } = await desk.person.call(updateWebhook, { id: webhook.id, mapping: whole })
      mapped = { mapping: stored }
    },
    try: (wish = {}) => call(wish, true),
    commit: (wish = {}) => call(wish, false),
  }
}

/** Every record of the strategy, in chain order. */
async function allRecords(desk: Desk, strategy_id: string): Promise<SignalRecord[]> {
  const items: SignalRecord[] = []
  for (let after = 0; ; ) {
    const page = await desk.person.call(signalFeed, { strategy_id, after, limit: 1_000 })
    items.push(...page.items)
    if (!page.more) return items.sort((a, b) => a.chain_seq - b.chain_seq)
    after = page.next_after
  }
}

/** The chain is one line, everything is folded as folding all of it says, and no delivery has two signals that stand. */
export async function expectWhole(desk: Desk, strategy: Strategy): Promise<SignalRecord[]> {
  const links: ChainPage['items'] = []
  let head: ChainPage['head'] = null
  for (;;) {
    const page = await desk.person.call(strategyChain, { id: strategy.id, after: links.length, limit: 1_000 })
    links.push(...page.items)
    head = page.head
    if (page.items.length < 1_000) break
  }
  expect((await verifyChain(links, sha256, { head })).ok).toBe(true)
  const { db } = desk.server.app
  const row = await db
    .selectFrom('strategies')
    .selectAll()
    .where('id', '=', strategy.id)
    .executeTakeFirstOrThrow()
  expect((await refold(db, row, new Set())).changed_from).toBeNull()
  const records = await allRecords(desk, strategy.id)
  const standing = records.filter(
    ({ source, derived }) => source === 'webhook' && derived.status !== 'voided',
  )
  const deliveries = await db
    .selectFrom('deliveries')
    .select(['id', 'signal_id', 'outcome'])
    .where('strategy_id', '=', strategy.id)
    .where('outcome', 'in', ['accepted', 'late'])
    .where('test', '=', 0)
    .execute()
  const named = new Map(deliveries.map(({ id, signal_id }) => [id, signal_id]))
  for (const { id, delivery_id } of standing) expect(named.get(delivery_id as string)).toBe(id)
  expect(new Set(standing.map(({ delivery_id }) => delivery_id)).size).toBe(standing.length)
  return records
}
