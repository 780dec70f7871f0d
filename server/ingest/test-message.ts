// 送出測試: a message through the real reading, recorded as a test, never as a signal.
import { performance } from 'node:perf_hooks'
import type { HookAnswer, Outcome } from '#contract/webhook.ts'
import type { Tx } from '../context.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { messageBytes } from '../usage/messages.ts'
import { deliveryRow, elapsed } from './batch.ts'
import { tellDeliveries } from './deliveries.ts'
import { answer } from './request.ts'
import { judgeText, type ReadingGround, refuseArchived } from './reread.ts'

/** Reads a sample as if it came now. It comes from the editor's own screen: the door's checks are not what it asks about. */
export async function testMessage(
  tx: Tx,
  ground: ReadingGround,
  body: string,
  from: { ip: string },
): Promise<{ delivery: DeliveryRow; answer: HookAnswer }> {
  const { webhook, strategy } = ground
  refuseArchived(strategy)
  const started = performance.now()
  const verdict = judgeText(ground, body, from.ip, tx.at)
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
  const { signal_bytes } = messageBytes(delivery)
  await tx.db
    .updateTable('webhooks')
    .set((eb) => ({ kept: eb('kept', '+', 1), signal_bytes: eb('signal_bytes', '+', signal_bytes) }))
    .where('id', '=', webhook.id)
    .execute()
  const uow = new UnitOfWork(tx)
  await tellDeliveries(uow, [{ row: delivery, normal: verdict.normal, scope: strategy.scope }])
  await uow.store()
  const { outcome, reason_code, reason } = delivery
  return {
    delivery,
    answer: answer(outcome as Outcome, delivery.id, { reason_code, reason, flags: verdict.flags }),
  }
}
