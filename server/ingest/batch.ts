// One group commit: deliveries, records, chains, folds, counters and events of many requests in one transaction.

import { performance } from 'node:perf_hooks'
import type { Scope } from '#contract/events.ts'
import type { Outcome } from '#contract/webhook.ts'
import type { Flag } from '#trading/record.ts'
import { type Sequence, sequenceOn } from '#trading/sender-count.ts'
import type { App, Tx } from '../context.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import type { TokenBuckets } from '../limits/rate.ts'
import { insertRecords, isPlain, type RecordDraft, webhookDraft } from '../record/records.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { keepWithinRoom } from '../usage/messages.ts'
import type { OwnerRoom } from '../usage/tables.ts'
import { openBody } from './body.ts'
import { Copies, type Keyed } from './copies.ts'
import { insertDeliveries, toldDelivery } from './deliveries.ts'
import { askAbout, noteUsed, waitingFor } from './format-store.ts'
import { judge, sequenceIn, type Verdict } from './judge.ts'
import { answer, type HookReply, type HookRequest, turnAway } from './request.ts'
import { columnsOf } from './reread.ts'
import { Rulings } from './ruling.ts'
import { type FoundSource, findSources } from './sources.ts'

// Numbers that senders give their messages, as they come: what is missing is told at once, and taken back when it comes.

/** A number of a webhook's sender, in the order they came. */
export interface Numbered {
  webhook_id: string
  strategy_id: string
  scope: string
  n: number
}

/** Takes the numbers of a batch in. */
async function noteNumbers(tx: Tx, numbers: readonly Numbered[]): Promise<void> {
  if (numbers.length === 0) return
  const by_webhook = Map.groupBy(numbers, ({ webhook_id }) => webhook_id)
  const rows = await tx.db
    .selectFrom('webhooks')
    .select(['id', 'sequence'])
    .where('id', 'in', [...by_webhook.keys()])
    .execute()
  for (const { id, sequence } of rows) {
    const own = by_webhook.get(id) ?? []
    const before = sequence === null ? null : (JSON.parse(sequence) as Sequence)
    const after = own.reduce<Sequence | null>((known, { n }) => sequenceOn(known, n, tx.at), before)
    if (after === before || after === null) continue
    await tx.db
      .updateTable('webhooks')
      .set({ sequence: JSON.stringify(after) })
      .where('id', '=', id)
      .execute()
    const [{ scope, strategy_id }] = own as [Numbered]
    const told = ({ missing, since }: Pick<Sequence, 'missing' | 'since'>) => JSON.stringify([missing, since])
    const changed = told(after) !== told(before ?? { missing: [], since: null })
    if (changed)
      await tx.append(scope as Scope, 'silence', {
        strategy_id,
        since: after.since,
        missing: { webhook_id: id, numbers: [...after.missing] },
      })
  }
}

interface Taken {
  place: number
  request: HookRequest
  found: FoundSource
  verdict: Verdict
  received_at: string
  keyed: Keyed
}

/** Stores a batch and gives each request its reply, in the batch's order. The replies count only once the transaction is committed. */
export async function commitBatch(
  app: App,
  tx: Tx,
  owners: TokenBuckets,
  batch: readonly HookRequest[],
): Promise<HookReply[]> {
  const sources = await findSources(app, tx, [...new Set(batch.map((request) => request.token_hash))])
  const rooms = new Map<string, OwnerRoom>()
  for (const { row } of sources.values())
    if (!rooms.has(row.scope)) rooms.set(row.scope, await app.room.rooms.of(tx.db, row.scope as Scope))
  const roomOf = ({ row }: FoundSource) => rooms.get(row.scope) as OwnerRoom
  const replies = new Array<HookReply>(batch.length)
  const taken: Taken[] = []
  batch.forEach((request, place) => {
    const found = sources.get(request.token_hash)
    if (!found) {
      replies[place] = turnAway(404)
      return
    }
    const wait = owners.take(roomOf(found).key, request.received_ms)
    if (wait > 0) {
      replies[place] = turnAway(429, wait)
      return
    }
    const received_at = new Date(request.received_ms).toISOString()
    const verdict = judge(found, openBody(request), request.ip, received_at)
    const keyed = { webhook_id: found.webhook.id, received_at, ...pickKey(verdict) }
    taken.push({ place, request, found, verdict, received_at, keyed })
  })
  if (taken.length === 0) return replies
  if (app.engine === 'postgres') await judgeHeldAnew(app, tx, taken)

  const copies = await Copies.of(
    tx,
    taken.filter((one) => one.verdict.signal !== null).map((one) => one.keyed),
  )
  const rulings = await Rulings.of(
    app.intake.rules,
    tx,
    taken.flatMap(({ found, verdict }) =>
      verdict.signal === null ? [] : [{ row: found.row, symbol: verdict.signal.symbol }],
    ),
  )
  const deliveries: DeliveryRow[] = []
  const drafts: RecordDraft[] = []
  for (const one of taken) {
    const { verdict, found, request } = one
    const delivery = deliveryRow(one)
    deliveries.push(delivery)
    const copy = verdict.signal === null ? null : copies.find(one.keyed)
    if (copy?.kind === 'duplicate') {
      delivery.outcome = 'duplicate'
      delivery.duplicate_of = copy.delivery_id
      delivery.signal_id = copy.signal_id
      delivery.reason = verdict.dedupe_why
    } else if (verdict.signal !== null) {
      const id = newId()
      const { signal, quiet, columns } = rulings.of(
        found.row,
        { ...verdict, signal: verdict.signal },
        delivery,
        id,
      )
      Object.assign(delivery, columns)
      if (signal !== null) {
        delivery.signal_id = id
        copies.add(one.keyed, delivery.id, id)
        const flags: Flag[] = copy ? [...verdict.flags, copy.flag] : [...verdict.flags]
        drafts.push({ ...webhookDraft({ id, signal, flags, row: found.row, delivery }), quiet })
      }
    }
    delivery.duration_ms = elapsed(request.started)
  }
  const asked = taken.flatMap(({ found: { webhook, row }, verdict: { asks } }, i) => {
    const delivery = deliveries[i] as DeliveryRow
    return asks ? [{ ...asks, webhook, scope: row.scope, delivery_id: delivery.id, delivery }] : []
  })
  const waiting = await waitingFor(tx, asked)
  asked.forEach(({ delivery }, i) => {
    delivery.format_id = waiting[i] as string
  })
  const told = taken.map(({ verdict, found }, i) => ({
    row: deliveries[i] as DeliveryRow,
    normal: verdict.normal,
    scope: found.row.scope,
    room: roomOf(found),
  }))
  await keepWithinRoom(tx.db, told, app.room.share)
  tx.afterCommit(() => {
    for (const { found, request } of taken) app.room.wrote(roomOf(found).key, 1 + request.size / 10_000)
  })
  const uow = new UnitOfWork(tx)
  await uow.reserve(eventsOf(taken, drafts))
  const plain = new Map(told.filter(({ row }) => isPlain(row)).map((one) => [one.row.signal_id, one]))
  const with_record = new Set<DeliveryRow>()
  for (const draft of drafts) {
    const message = plain.get(draft.facts.id)
    if (!message) continue
    draft.message = { row: message.row, told: toldDelivery(message.row, message.normal) }
    with_record.add(message.row)
  }
  const records = await insertRecords(app, tx, uow, drafts)
  await insertDeliveries(uow, told, with_record)
  await uow.store()
  await rulings.store(tx)
  await noteNumbers(
    tx,
    taken.flatMap(({ found: { webhook, row }, verdict }) => {
      const n = sequenceIn(webhook, verdict)
      return n === null ? [] : [{ webhook_id: webhook.id, strategy_id: row.id, scope: row.scope, n }]
    }),
  )
  await noteUsed(
    tx,
    taken.map(({ found: { webhook }, verdict: { format_id } }) => ({ webhook, format_id })),
  )
  await askAbout(
    tx,
    asked.map((one) => ({ ...one, format_id: one.delivery.format_id as string })),
  )
  taken.forEach((one, i) => {
    const delivery = deliveries[i] as DeliveryRow
    const { outcome, reason_code, reason, signal_id, duplicate_of, format_id } = delivery
    replies[one.place] = {
      status: delivery.http_status,
      answer: answer(outcome as Outcome, delivery.id, {
        signal_id,
        duplicate_of,
        format_id,
        reason_code,
        reason,
        flags: outcome === 'duplicate' ? [] : (records.get(signal_id ?? '')?.flags ?? []),
      }),
    }
  })
  return replies
}

/**
 * PostgreSQL read the webhooks before it waited for their strategies: whoever held those may have confirmed a format meanwhile, and
 * looked at what waited then.
 */
async function judgeHeldAnew(app: App, tx: Tx, taken: Taken[]): Promise<void> {
  const asking = taken.filter(({ verdict }) => verdict.asks !== null)
  if (asking.length === 0) return
  const ids = [...new Set(asking.map(({ found }) => found.webhook.id))]
  const rows = await tx.db.selectFrom('webhooks').selectAll().where('id', 'in', ids).execute()
  const now = new Map(rows.map((row) => [row.id, row]))
  const readBy = await app.intake.formats.of(tx.db, rows)
  for (const one of asking) {
    const { found, request, received_at } = one
    const webhook = now.get(found.webhook.id)
    if (!webhook || webhook.formats_rev === found.webhook.formats_rev) continue
    one.found = { ...found, webhook, taken_before: undefined, ...readBy(webhook) }
    one.verdict = judge(one.found, openBody(request), request.ip, received_at)
    one.keyed = { ...one.keyed, ...pickKey(one.verdict) }
  }
}

/** How many events each scope will hear: one for every delivery, one for every record. */
function eventsOf(taken: readonly Taken[], drafts: readonly RecordDraft[]): Map<Scope, number> {
  const counts = new Map<Scope, number>()
  for (const { row } of [...taken.map(({ found }) => found), ...drafts]) {
    const scope = row.scope as Scope
    counts.set(scope, (counts.get(scope) ?? 0) + 1)
  }
  return counts
}

/** A delivery's row from its verdict, before anything is known about copies. */
export function deliveryRow(of: {
  request: Pick<HookRequest, 'ip' | 'content_type' | 'size'>
  found: Pick<FoundSource, 'webhook'>
  verdict: Verdict
  received_at: string
}): DeliveryRow {
  const { request, verdict } = of
  return {
    id: newId(),
    webhook_id: of.found.webhook.id,
    strategy_id: of.found.webhook.strategy_id,
    received_at: of.received_at,
    source_ip: request.ip,
    content_type: request.content_type,
    size: request.size,
    body_encoding: verdict.body_encoding,
    body: verdict.body,
    body_sha256: verdict.body_sha256,
    body_cut: verdict.body_cut ? 1 : 0,
    ...columnsOf(verdict),
    duplicate_of: null,
    signal_id: null,
    duration_ms: 0,
    test: 0,
    replayed_at: null,
    ruled_quantity: null,
  }
}

/** Milliseconds since `started` (performance.now()), to the hundredth. */
export function elapsed(started: number): number {
  return Math.round((performance.now() - started) * 100) / 100
}

/** What of a verdict tells copies apart. */
export function pickKey(verdict: Verdict): Pick<Keyed, 'dedupe_key' | 'dedupe_window_ms' | 'dedupe_body'> {
  const { dedupe_key, dedupe_window_ms, dedupe_body } = verdict
  return { dedupe_key, dedupe_window_ms, dedupe_body }
}
