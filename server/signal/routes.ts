// The calls on signal records: read, void, correct, check, export.

import type { OutputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import {
  correctSignal,
  exportSignals,
  getSignal,
  listStockSignals,
  listStrategySignals,
  listWebhookSignals,
  type SignalRecord,
  sendManualFutures,
  sendManualStock,
  signalFeed,
  strategyChain,
  voidSignal,
} from '#contract/signal.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { ASSET_FACTS, assetOf, BOARD_LOT } from '#trading/kinds.ts'
import type { Facts, Flag } from '#trading/record.ts'
import { isSeenByOther, missing, seeStrategy } from '../access/organization.ts'
import {
  accessOf,
  findStrategy,
  findWebhook,
  holdStrategy,
  leaseUntil,
  mayEdit,
} from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { heads, type Lineage } from '../db/lineage.ts'
import type { Db, StoredRecord, StrategyRow } from '../db/schema.ts'
import { handle, isLong, type Route } from '../http/handle.ts'
import { newId } from '../ids.ts'
import { deliveriesAbout, presentNotificationDelivery } from '../notify/inbox.ts'
import { readChain } from '../record/chain.ts'
import { type Pointing, pointerFacts } from '../record/facts.ts'
import { insertRecord } from '../record/records.ts'
import { readerOf, showSignals } from '../record/visibility.ts'
import { exportOf } from './export.ts'
import { findSignal, readFeed, readOfStrategy, readOfWebhook } from './list.ts'
import { enterSignal, futuresEntry, stockEntry } from './manual.ts'

// How far the feed was read: a plain number beside a text that says in which past of the database it was given.

interface FeedPlace {
  readonly after?: number | undefined
  readonly epoch?: string | undefined
}

/** Opaque to whoever carries it: the start it was given under, and up to which number the answer spoke. */
export function epochOf({ id }: Pick<Lineage, 'id'>, up_to: number): string {
  return `${id}:${up_to}`
}

/**
 * Whether this place is one of this database's past. Only the number in the text is bound to its start: a reader who hears the
 * stream moves `after` on by itself, under later ones.
 */
async function isOurPlace(
  db: Db,
  lineage: Lineage,
  scope: Scope,
  { after = 0, epoch }: FeedPlace,
): Promise<boolean> {
  const past = (holds: ReadonlyMap<Scope, number>, number: number) => number > (holds.get(scope) ?? 0)
  if (after > 0 && past(await heads(db, [scope]), after)) return false
  if (epoch === undefined) return true
  const [, id = epoch, up_to = '0'] = /^(.+):(\d{1,15})$/.exec(epoch) ?? []
  const holds = await lineage.holdsUpTo(db, id, [scope])
  return holds !== null && !past(holds, Number(up_to))
}

// Records that point at another one: a void takes it out of the figures, a correction gives it a price. Nothing stored changes.

/**
 * Stores the further record, in the same chain, with everything folded again in the same transaction. 4040 for a target the
 * actor may not see; 4220 with a sentence for one that cannot be pointed at (again).
 */
async function pointAt(app: App, tx: Tx, actor: Actor, id: string, told: Pointing): Promise<SignalRecord> {
  const target = await findSignal(tx.db, actor, id)
  if (!target) throw new ApiError(4040)
  // Held until the commit: of many who void one signal at once, the second already finds the first's record.
  const row = await holdStrategy(app, tx.db, actor, target.strategy_id, 'strategy:edit')
  const facts = JSON.parse(target.facts) as Facts
  await refuseInvalid(tx.db, target, facts, told)
  const record = pointerFacts(facts, told, { id: newId(), at: tx.at, created_by: actor.uid })
  return insertRecord(app, tx, { facts: record, flags: [], row })
}

async function refuseInvalid(db: Db, target: StoredRecord, facts: Facts, told: Pointing): Promise<void> {
  const verb = told.source === 'void' ? '作廢' : '更正'
  if (target.source === 'void' || target.source === 'correction')
    throw new ApiError(4220, {
      text: `這是一筆${target.source === 'void' ? '作廢' : '更正'}紀錄，不能再${verb}。請選原本的訊號。`,
    })
  const pointers = await db
    .selectFrom('signals')
    .select(['source', 'chain_seq', 'facts'])
    .where('strategy_id', '=', target.strategy_id)
    .where('refers_to', '=', target.id)
    .orderBy('chain_seq', 'desc')
    .execute()
  const gone = pointers.find(({ source }) => source === 'void')
  if (gone)
    throw new ApiError(4220, {
      text: `這筆訊號已經由第 ${gone.chain_seq.toLocaleString('en-US')} 筆紀錄作廢，不能再${verb}。`,
    })
  if (told.source === 'void') return
  const newest = pointers.find(({ source }) => source === 'correction')
  const price = newest ? (JSON.parse(newest.facts) as Facts).price : facts.price
  // Given the price that it came with, a record whose price was in doubt is confirmed.
  const confirms = !newest && (JSON.parse(target.flags) as Flag[]).includes('price_suspect')
  if (price === told.price && !confirms) throw invalid({ price: '和現在的價格相同' })
}

// The last part of a signal's timeline: when each channel was handed it for this person, and when a device showed and opened it.

type Step = OutputOf<typeof getSignal>['timeline']['steps'][number]

/** The person's own deliveries of a record, and those of them that were handed over as steps of it, in that order. */
async function deliveriesOfSignal(
  db: Db,
  uid: string,
  signal_id: string,
): Promise<{ steps: Step[]; deliveries_to_me: NotificationDelivery[] }> {
  const { title, rows } = await deliveriesAbout(db, uid, signal_id)
  const steps = rows.flatMap(
    ({ channel, device_label, sent_at, shown_at, opened_at, state, reason }): Step[] =>
      sent_at === null
        ? []
        : [{ channel, device_label, handed_at: sent_at, shown_at, opened_at, state, reason }],
  )
  return { steps, deliveries_to_me: rows.map((row) => presentNotificationDelivery(row, title)) }
}

// The size of a stock's record as people in Taiwan count it, and what it is worth.

/** 張, the 股 beside them, and NT$; null where the record does not say. */
function stockSize({ quantity, price }: Pick<SignalRecord, 'quantity' | 'price'>) {
  const board_lots = quantity === null ? null : Math.trunc(quantity / BOARD_LOT)
  const odd_shares = quantity === null ? null : quantity % BOARD_LOT
  const amount = quantity === null || price === null ? null : toNumber(scaled(price) * BigInt(quantity))
  return { board_lots, odd_shares, amount }
}

/** 4220 of a strategy that trades no stocks. */
function requireStocks(row: StrategyRow): void {
  const { each, name } = ASSET_FACTS[assetOf(row)]
  if (each === null) throw new ApiError(4220, { text: `這是${name}策略，沒有張與股；請看訊號紀錄` })
}

/** Signals: feed, one, of a strategy, of a webhook; void and correction; chain and export. */
export function signalRoutes(app: App): Route[] {
  return [
    handle(app, signalFeed, async ({ input, actor, tx }) => {
      if (input.strategy_id !== undefined) await findStrategy(tx.db, actor, input.strategy_id)
      const { access, access_version } = await accessOf(tx.db, actor)
      const known = input.access_version === access_version
      // Counted in another past of the database: nothing between two numbers can be trusted, and everything is to be read anew.
      const reset = !(await isOurPlace(tx.db, app.lineage, actor.scope, input))
      const { rows, more } = reset ? { rows: [], more: true } : await readFeed(tx.db, actor, input)
      // Read in this turn of the loop, shown in the account's next: a page of a thousand holds nobody up.
      if (isLong({ items: rows })) await app.background.piece(actor.caller, () => undefined)
      return {
        items: await showSignals(app, tx.db, actor, rows),
        next_after: rows.at(-1)?.seq ?? (reset ? 0 : (input.after ?? 0)),
        epoch: epochOf(app.lineage, reset ? 0 : Math.max(input.after ?? 0, ...rows.map(({ seq }) => seq))),
        ...(reset && { reset }),
        more,
        access_version,
        ...(!known && { access }),
        // The list names everything there is to keep: what is not in it is forgotten.
        forget: [],
        lease_until: leaseUntil(actor, app.now()),
        server_time: new Date(app.now()).toISOString(),
      }
    }),
    handle(app, getSignal, async ({ input, actor, tx }) => {
      const row = await findSignal(tx.db, actor, input.id)
      if (!row) throw await missing(app, tx.db, actor, { signal_id: input.id })
      const edit = mayEdit(actor)
      const [record] = (await showSignals(app, tx.db, actor, [row])) as [SignalRecord]
      // The steps are those of the person's own deliveries.
      const { steps, deliveries_to_me } = isSeenByOther(actor)
        ? { steps: [], deliveries_to_me: [] }
        : await deliveriesOfSignal(tx.db, actor.uid, row.id)
      return {
        ...record,
        timeline: {
          fired_at: row.occurred_at,
          received_at: row.received_at,
          stored_at: row.stored_at,
          // The intake moves a time from the future to its arrival and says so by the flag.
          clock_ahead: record.flags.includes('future') || row.occurred_at > row.received_at,
          steps,
        },
        deliveries_to_me,
        delivery: edit ? await deliveryOf(tx.db, row) : null,
      }
    }),
    handle(app, listStrategySignals, async ({ input, actor, tx }) => {
      await seeStrategy(app, tx.db, actor, input.id)
      const { rows, next_before } = await readOfStrategy(tx.db, actor, input)
      return { items: await showSignals(app, tx.db, actor, rows), next_before }
    }),
    handle(app, listStockSignals, async ({ input, actor, tx }) => {
      requireStocks(await seeStrategy(app, tx.db, actor, input.id))
      const { rows, next_before } = await readOfStrategy(tx.db, actor, input)
      const items = await showSignals(app, tx.db, actor, rows)
      return { items: items.map((one) => ({ ...one, ...stockSize(one) })), next_before }
    }),
    handle(app, listWebhookSignals, async ({ input, actor, tx }) => {
      const { id } = await findWebhook(tx.db, actor, input.id)
      const { rows, next_before } = await readOfWebhook(tx.db, actor, id, input)
      return { items: await showSignals(app, tx.db, actor, rows), next_before }
    }),
    handle(app, voidSignal, ({ input: { id, reason }, actor, tx }) =>
      pointAt(app, tx, actor, id, { source: 'void', reason }),
    ),
    handle(app, correctSignal, ({ input: { id, price, note }, actor, tx }) =>
      pointAt(app, tx, actor, id, { source: 'correction', price, note: note || null }),
    ),
    handle(app, sendManualFutures, {
      prepare: ({ actor }) => app.limits.take('manual_signal', actor.uid),
      run: ({ input, actor, tx }) => enterSignal(app, tx, actor, 'futures', futuresEntry(input)),
    }),
    handle(app, sendManualStock, {
      prepare: ({ actor }) => app.limits.take('manual_signal', actor.uid),
      run: ({ input, actor, tx }) => enterSignal(app, tx, actor, 'stock', stockEntry(input)),
    }),
    handle(app, strategyChain, async ({ input, actor, tx }) => {
      const row = await seeStrategy(app, tx.db, actor, input.id)
      return readChain(tx.db, actor.access, row, input)
    }),
    handle(app, exportSignals, {
      prepare: ({ actor }) => app.limits.take('signal_export', actor.caller),
      async run({ input, actor, tx }) {
        const row = await seeStrategy(app, tx.db, actor, input.id)
        const reader = readerOf(actor)
        return app.exports.file(actor.caller, () => exportOf(app, tx, reader, row, input.format))
      },
    }),
  ]
}

/** The message a record came from, null after 30 days or when none came. */
async function deliveryOf(db: Db, row: StoredRecord) {
  if (row.delivery_id === null) return null
  const delivery = await db
    .selectFrom('deliveries')
    .select(['id', 'received_at', 'content_type', 'body', 'body_encoding', 'outcome', 'duration_ms'])
    .where('webhook_id', '=', row.webhook_id)
    .where('id', '=', row.delivery_id)
    .executeTakeFirst()
  return delivery ?? null
}
