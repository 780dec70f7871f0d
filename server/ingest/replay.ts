// Deliveries read again: planned, told as what would change, and on commit made, in one transaction.
import { CHANGES, type ReplayChange, type ReplayItem } from '#contract/replay.ts'
import type { Outcome } from '#contract/webhook.ts'
import type { App, Tx } from '../context.ts'
import { bulkUpdate, runBulk } from '../db/bulk.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { closedDays } from '../record/closed-days.ts'
import { type Pointing, pointerFacts } from '../record/facts.ts'
import { insertRecords, type RecordDraft, webhookDraft } from '../record/records.ts'
import { Telling } from '../record/telling.ts'
import { messageBytes } from '../usage/messages.ts'
import { tellDeliveries } from './deliveries.ts'
import { isMismatch } from './present.ts'
import { planReplay, type ReplayPlan } from './replan.ts'
import { type ReadingGround, refuseArchived } from './reread.ts'

export interface Wish extends Omit<ReadingGround, 'closed_days'> {
  uid: string
  dry_run: boolean
  notify: boolean
}

/** See Intake.replay. */
export async function replay(
  app: App,
  tx: Tx,
  wish: Wish,
  deliveries: readonly DeliveryRow[],
): Promise<{ plans: ReplayPlan[]; items: ReplayItem[]; counts: Record<ReplayChange, number> }> {
  refuseArchived(wish.strategy)
  const plans = await planReplay(tx, { ...wish, closed_days: closedDays(app) }, deliveries)
  if (!wish.dry_run) await carryOut(app, tx, wish, plans)
  const counts = Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<ReplayChange, number>
  for (const { change } of plans) counts[change]++
  return { plans, items: plans.map((plan) => itemOf(plan, wish.dry_run)), counts }
}

async function carryOut(app: App, tx: Tx, wish: Wish, plans: readonly ReplayPlan[]): Promise<void> {
  const touched = plans.filter(({ next, delivery }) => next !== delivery)
  if (touched.length === 0) return
  const telling = new Telling(tx)
  await insertRecords(
    app,
    tx,
    telling,
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
  await telling.write(
    REREAD,
    touched.map(({ next }) => next),
  )
  await telling.flush()
  await recount(tx, wish.webhook.id, touched)
  await tellDeliveries(
    telling,
    touched.map(({ next, verdict }) => ({
      row: next,
      normal: verdict?.normal ?? null,
      scope: wish.strategy.scope,
    })),
  )
  await telling.store()
}

/** Copies name the signal of what they are a copy of. */
const FOLLOW = bulkUpdate(
  'deliveries',
  { duplicate_of: 'text', signal_id: 'text' },
  { id: 'duplicate_of', key: 'duplicate_of' },
)
const REREAD = bulkUpdate(
  'deliveries',
  {
    id: 'text',
    outcome: 'text',
    http_status: 'integer',
    reason_code: 'text',
    reason: 'text',
    field: 'text',
    dedupe_key: 'text',
    normal: 'text',
    duplicate_of: 'text',
    signal_id: 'text',
    format_id: 'text',
    replayed_at: 'text',
  },
  { id: 'id', key: 'id' },
)

function draftsOf({ strategy: row, uid, notify }: Wish, plan: ReplayPlan, at: string): RecordDraft[] {
  const { deed, standing, verdict, copy, next } = plan
  const quiet = !notify
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

/** The webhook's counters follow its deliveries' outcomes, and so does what it says of the last ones. */
async function recount(tx: Tx, webhook_id: string, plans: readonly ReplayPlan[]): Promise<void> {
  const moved = {
    accepted: 0,
    late: 0,
    duplicate: 0,
    ignored: 0,
    held: 0,
    rejected: 0,
    mismatch: 0,
    refused_bytes: 0,
    signal_bytes: 0,
  }
  for (const { delivery, next } of plans) {
    moved[delivery.outcome as Outcome]--
    moved[next.outcome as Outcome]++
    moved.mismatch += Number(isMismatch(next)) - Number(isMismatch(delivery))
    const [now, before] = [messageBytes(next), messageBytes(delivery)]
    moved.refused_bytes += now.refused_bytes - before.refused_bytes
    moved.signal_bytes += now.signal_bytes - before.signal_bytes
  }
  const newest = (outcomes: readonly Outcome[]) =>
    tx.db
      .selectFrom('deliveries')
      .select('received_at')
      .where('webhook_id', '=', webhook_id)
      .where('test', '=', 0)
      .where('outcome', 'in', outcomes)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  const [rejected, accepted] = [await newest(['rejected']), await newest(['accepted', 'late'])]
  await tx.db
    .updateTable('webhooks')
    .set((eb) => ({
      ...Object.fromEntries(
        (Object.keys(moved) as (keyof typeof moved)[]).map((key) => [key, eb(key, '+', moved[key])]),
      ),
      last_rejected_at: rejected?.received_at ?? null,
      // What was taken longer ago than deliveries are kept is still known.
      ...(accepted && { last_accepted_at: accepted.received_at }),
    }))
    .where('id', '=', webhook_id)
    .execute()
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
