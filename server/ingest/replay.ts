// Deliveries read again: planned, told as what would change, and on commit made, in one transaction.

import type { Outcome } from '#contract/webhook.ts'
import { CHANGES, type ReplayChange, type ReplayItem } from '#contract/webhook-format.ts'
import type { App, Tx } from '../context.ts'
import { bulkUpdate, runBulk } from '../db/bulk.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { closedDays } from '../record/calendar.ts'
import { type Pointing, pointerFacts } from '../record/facts.ts'
import { insertRecords, type RecordDraft, webhookDraft } from '../record/records.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { waitingFor } from './format-store.ts'
import { planReplay, type ReplayPlan } from './replan.ts'
import { type ReadingGround, refuseArchived } from './reread.ts'
import { rewriteDeliveries } from './rewrite.ts'

export interface Wish extends Omit<ReadingGround, 'closed_days'> {
  uid: string
  dry_run: boolean
  /** Whether people are told of what this one becomes. */
  notify: (delivery: DeliveryRow) => boolean
}

/** See Intake.replay. */
export async function replay(
  app: App,
  tx: Tx,
  wish: Wish,
  deliveries: readonly DeliveryRow[],
): Promise<{ plans: ReplayPlan[]; items: ReplayItem[]; counts: Record<ReplayChange, number> }> {
  refuseArchived(wish.strategy)
  const ground = { ...wish, closed_days: closedDays(app), rules: app.intake.rules }
  const { plans, rulings } = await planReplay(tx, ground, deliveries)
  if (!wish.dry_run) {
    await carryOut(app, tx, wish, plans)
    await rulings.store(tx)
  }
  const counts = Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<ReplayChange, number>
  for (const { change } of plans) counts[change]++
  return { plans, items: plans.map((plan) => itemOf(plan, wish.dry_run)), counts }
}

async function carryOut(app: App, tx: Tx, wish: Wish, plans: readonly ReplayPlan[]): Promise<void> {
  await findFormats(tx, wish, plans)
  const touched = plans.filter(({ next, delivery }) => next !== delivery)
  if (touched.length === 0) return
  const uow = new UnitOfWork(tx)
  await insertRecords(
    app,
    tx,
    uow,
    touched.flatMap((plan) => draftsOf(wish, plan, tx.at)),
  )
  const moved = touched.filter(({ standing, next }) => standing !== null && standing.id !== next.signal_id)
  await runBulk(
    tx.db,
    FOLLOW,
    moved.map(({ delivery: { id }, next: { outcome, signal_id } }) => ({
      duplicate_of: id,
      signal_id: outcome === 'duplicate' ? null : signal_id,
    })),
  )
  await rewriteDeliveries(
    tx,
    uow,
    { webhook_id: wish.webhook.id, scope: wish.strategy.scope },
    touched.map(({ delivery, next, verdict }) => ({ delivery, next, normal: verdict?.normal ?? null })),
  )
  await uow.store()
}

/** What is read as a message of no confirmed format waits for one from now on. */
async function findFormats(tx: Tx, { webhook, strategy }: Wish, plans: readonly ReplayPlan[]): Promise<void> {
  const asking = plans.flatMap((plan) =>
    plan.verdict?.asks && plan.next.outcome === 'held' && plan.next.format_id === null
      ? [{ ...plan.verdict.asks, webhook, scope: strategy.scope, delivery_id: plan.delivery.id, plan }]
      : [],
  )
  const ids = await waitingFor(tx, asking)
  asking.forEach(({ plan }, i) => {
    plan.next = { ...plan.next, format_id: ids[i] as string }
  })
}

/** Copies name the signal of what they are a copy of. */
const FOLLOW = bulkUpdate(
  'messages',
  { duplicate_of: 'text', signal_id: 'text' },
  { id: 'duplicate_of', key: 'duplicate_of' },
)
function draftsOf({ strategy: row, uid, notify }: Wish, plan: ReplayPlan, at: string): RecordDraft[] {
  const { deed, standing, verdict, copy, next } = plan
  const quiet = plan.quiet || !notify(plan.delivery)
  const pointer = (target: RecordDraft['facts'], told: Pointing): RecordDraft => ({
    facts: pointerFacts(target, told, { id: newId(), at, created_by: uid }),
    ...{ flags: [], row, webhook_id: null, delivery_id: null, quiet },
  })
  const made = (): RecordDraft[] => {
    if (!verdict?.signal || next.signal_id === null) return []
    const flags = copy?.kind === 'signal' ? [...verdict.flags, copy.flag] : verdict.flags
    const of = { id: next.signal_id, signal: verdict.signal, flags, row, delivery: next }
    return [{ ...webhookDraft(of), quiet }]
  }
  if (deed.kind === 'make') return made()
  if (!standing || deed.kind === 'none') return []
  const { facts } = standing
  if (deed.kind === 'correct')
    return [pointer(facts, { source: 'correction', price: deed.price, note: '重新解析讀到的價格' })]
  if (deed.kind === 'void') {
    const why = next.outcome === 'duplicate' ? '和先前一則重複' : (next.reason ?? '讀不出訊號')
    return [pointer(facts, { source: 'void', reason: `重新解析後不再是訊號：${why}`.slice(0, 200) })]
  }
  const anew = made()
  const voided = pointer(facts, { source: 'void', reason: '重新解析讀到不同的內容，由新的一筆取代' })
  const [first] = anew
  const kept =
    first && deed.keep_price !== null
      ? [pointer(first.facts, { source: 'correction', price: deed.keep_price, note: '沿用先前補上的價格' })]
      : []
  return [voided, ...anew, ...kept]
}

function itemOf(plan: ReplayPlan, dry_run: boolean): ReplayItem {
  const { delivery, next, change, deed, why, standing } = plan
  return {
    delivery_id: delivery.id,
    received_at: delivery.received_at,
    change,
    before: readingOf(delivery, dry_run),
    after: readingOf(next, dry_run),
    made: deed.kind === 'correct' ? 'correction' : deed.kind === 'anew' ? 'anew' : null,
    why,
    signal_id: dry_run ? (standing?.id ?? delivery.signal_id) : next.signal_id,
  }
}

function readingOf(row: DeliveryRow, whole: boolean): ReplayItem['before'] {
  const { outcome, reason_code, reason, field, normal } = row
  return {
    outcome: outcome as Outcome,
    reason_code: reason_code as ReplayItem['before']['reason_code'],
    reason,
    field,
    normal: whole && normal !== null ? JSON.parse(normal) : null,
  }
}
