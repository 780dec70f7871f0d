// Reading a message again on an editor's wish: a stored delivery with the present settings, or a sample that records nothing.
import { performance } from 'node:perf_hooks'
import { ApiError } from '#contract/errors.ts'
import type { HookAnswer, Outcome } from '#contract/webhook.ts'
import type { App, Tx } from '../context.ts'
import type { DeliveryRow, StrategyRow, WebhookRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { deliveryRow, elapsed } from './batch.ts'
import { openText } from './body/open.ts'
import { Copies } from './copies.ts'
import { tellDeliveries } from './deliveries.ts'
import { judge, type Verdict } from './judge.ts'
import type { Ledger } from './ledger.ts'
import { payloadStrategy } from './payload-strategy.ts'
import { insertRecords, webhookDraft } from './records.ts'
import { answer, STATUS_OF } from './request.ts'
import { Telling } from './telling.ts'

/** What was refused at the door never becomes a signal by being read again: who sent it is not known. */
const NOT_REPLAYED = new Set(['bad_secret', 'ip_not_allowed', 'too_large', 'bad_encoding', 'duplicate_key'])

/** See Intake.replay. */
export async function replay(
  app: App,
  tx: Tx,
  ledger: Ledger,
  webhook: WebhookRow,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  if (delivery.signal_id !== null || delivery.test === 1) return delivery
  if (delivery.reason_code !== null && NOT_REPLAYED.has(delivery.reason_code)) {
    throw new ApiError(4221, { text: `這則訊息不能重新解析：${delivery.reason ?? '來源未通過驗證'}` })
  }
  if (delivery.body_cut === 1)
    throw new ApiError(4221, { text: '這則訊息太長又無法解析，只保留了開頭，不能重新解析：請從來源重送' })
  const row = await strategyOf(app, tx, webhook)
  const started = performance.now()
  const telling = new Telling(tx)
  const verdict = judgeText(webhook, row, delivery.body ?? '', delivery.source_ip, delivery.received_at)
  const next: DeliveryRow = { ...delivery, ...columnsOf(verdict), replayed_at: tx.at }
  if (verdict.signal !== null) {
    const keyed = { webhook_id: webhook.id, received_at: delivery.received_at, ...verdict }
    const copy = (await Copies.of(tx, [keyed])).find(keyed)
    if (copy?.kind === 'duplicate') {
      Object.assign(next, { outcome: 'duplicate', duplicate_of: copy.delivery_id, signal_id: copy.signal_id })
    } else {
      const id = newId()
      next.signal_id = id
      const flags = copy ? [...verdict.flags, copy.flag] : verdict.flags
      await insertRecords(app, tx, telling, ledger, [
        webhookDraft({ id, signal: verdict.signal, flags, row, delivery: next }),
      ])
    }
  }
  next.duration_ms = elapsed(started)
  const { id, ...columns } = next
  await tx.db.updateTable('deliveries').set(columns).where('id', '=', id).execute()
  await recount(tx, webhook.id, delivery.outcome as Outcome, next.outcome as Outcome)
  await tellDeliveries(telling, [{ row: next, normal: verdict.normal, scope: row.scope }])
  await telling.store()
  return next
}

/** See Intake.test. */
export async function test(
  app: App,
  tx: Tx,
  webhook: WebhookRow,
  body: string,
  from: { ip: string },
): Promise<{ delivery: DeliveryRow; answer: HookAnswer }> {
  const started = performance.now()
  const row = await strategyOf(app, tx, webhook)
  // A test comes from the editor's own screen: the door's checks (address, secret, switch) are not what it asks about.
  const verdict = judgeText(webhook, row, body, from.ip, tx.at)
  const delivery: DeliveryRow = {
    ...deliveryRow({
      request: { ip: from.ip, content_type: 'text/plain', size: Buffer.byteLength(body) },
      found: { webhook },
      verdict,
      received_at: tx.at,
    }),
    test: 1,
    duration_ms: elapsed(started),
  }
  await tx.db.insertInto('deliveries').values(delivery).execute()
  const telling = new Telling(tx)
  await tellDeliveries(telling, [{ row: delivery, normal: verdict.normal, scope: row.scope }])
  await telling.store()
  const { outcome, reason_code, reason } = delivery
  return {
    delivery,
    answer: answer(outcome as Outcome, delivery.id, { reason_code, reason, flags: verdict.flags }),
  }
}

async function strategyOf(app: App, tx: Tx, webhook: WebhookRow): Promise<StrategyRow> {
  const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', webhook.strategy_id)
  const row = await (app.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow()
  if (row.deleted_at !== null || row.status === 'archived') {
    throw new ApiError(4221, { text: '策略已封存，請先恢復策略再試' })
  }
  return row
}

/** The intake's own verdict of a text, the door's checks left out: whoever asks may edit the strategy. */
export function judgeText(
  webhook: WebhookRow,
  row: StrategyRow,
  body: string,
  ip: string,
  received_at: string,
): Verdict {
  const open = { ...webhook, ip_allow: '[]', secret_hash: null }
  const source = { webhook: open, strategy: payloadStrategy(row), closed: null }
  return judge(source, openText(body, ''), ip, received_at)
}

function columnsOf(verdict: Verdict): Partial<DeliveryRow> {
  return {
    outcome: verdict.outcome,
    http_status: verdict.reason_code === null ? 200 : STATUS_OF[verdict.reason_code],
    reason_code: verdict.reason_code,
    reason: verdict.reason,
    field: verdict.field,
    dedupe_key: verdict.dedupe_key,
    normal: verdict.normal === null ? null : JSON.stringify(verdict.normal),
  }
}

/** The webhook's counters follow its deliveries' outcomes. */
async function recount(tx: Tx, webhook_id: string, before: Outcome, after: Outcome): Promise<void> {
  if (before === after) return
  await tx.db
    .updateTable('webhooks')
    .set((eb) => ({ [before]: eb(before, '-', 1), [after]: eb(after, '+', 1) }))
    .where('id', '=', webhook_id)
    .execute()
}
