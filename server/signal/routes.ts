// The calls on signal records: read, void, correct, check, export.
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
import { missing, seeStrategy } from '../access/elsewhere.ts'
import { accessOf, leaseUntil } from '../access/lease.ts'
import { findStrategy, mayEdit } from '../access/strategies.ts'
import { isSeenByOther } from '../access/view.ts'
import { findWebhook } from '../access/webhooks.ts'
import type { App } from '../context.ts'
import type { Db, StoredRecord } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { isLong } from '../http/long.ts'
import { readChain } from '../record/chain.ts'
import { readerOf, showSignals } from '../record/veil.ts'
import { exportOf } from './export.ts'
import { findSignal, readFeed, readOfStrategy, readOfWebhook } from './list.ts'
import { enterSignal, futuresEntry, stockEntry } from './manual.ts'
import { epochOf, isOurPlace } from './place.ts'
import { pointAt } from './pointing.ts'
import { deliveriesOfSignal } from './steps.ts'
import { requireStocks, stockSize } from './stock-size.ts'

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
    .where('id', '=', row.delivery_id)
    .executeTakeFirst()
  return delivery ?? null
}
