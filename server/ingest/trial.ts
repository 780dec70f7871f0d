// Messages read for somebody who is changing a mapping: the intake's own verdict, of which nothing is kept.

import { performance } from 'node:perf_hooks'
import type { HookAnswer, Mapping, Outcome, Webhook } from '#contract/webhook.ts'
import type { MappingImpact, Preview, Trial } from '#contract/webhook-format.ts'
import type { Tx } from '../context.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { messageBytes } from '../usage/messages.ts'
import { deliveryRow, elapsed } from './batch.ts'
import { tellDeliveries } from './deliveries.ts'
import type { Verdict } from './judge.ts'
import { answer } from './request.ts'
import { judgeText, type ReadingGround, refuseArchived } from './reread.ts'

/** What is tried in place of the webhook's own. */
interface TriedSettings {
  format: Webhook['format']
  mapping: Mapping | null
}
/** A body, and when it came: a message without a time of its own happened then. */
export type TriedMessage = Pick<DeliveryRow, 'received_at' | 'source_ip'> & { body: string }

/** The verdict of a message under these settings, as it would be asked about; without any as the webhook's confirmed formats read it. */
export function tried(
  ground: ReadingGround,
  { body, source_ip, received_at }: TriedMessage,
  settings?: TriedSettings,
): Verdict {
  if (!settings) return judgeText(ground, body, source_ip, received_at)
  const { format, mapping } = settings
  const webhook = { ...ground.webhook, format: format as string, mapping: mapping && JSON.stringify(mapping) }
  return judgeText({ ...ground, webhook, formats: null }, body, source_ip, received_at)
}

/** A verdict as the screen of a mapping shows it. */
export function previewOf(verdict: Verdict): Preview {
  return { ...trialOf(verdict), flags: verdict.flags, reading: [...verdict.reading] }
}

function trialOf({ outcome, reason_code, reason, field, normal }: Verdict): Trial {
  return { outcome, reason_code, reason, field, normal }
}

/** Deliveries read both ways, and those that would read otherwise. */
export function impactOf(
  ground: ReadingGround,
  deliveries: readonly (TriedMessage & { id: string })[],
  settings: TriedSettings,
): MappingImpact {
  const counts = { changed: 0, same: 0, newly_readable: 0, becomes_unreadable: 0 }
  const rows: MappingImpact['rows'] = []
  for (const delivery of deliveries) {
    const [before, after] = [tried(ground, delivery), tried(ground, delivery, settings)]
    const change = changeOf(before, after)
    counts[change]++
    if (change === 'same') continue
    const { id: delivery_id, received_at } = delivery
    rows.push({ delivery_id, received_at, change, before: trialOf(before), after: trialOf(after) })
  }
  return { looked: deliveries.length, counts, rows }
}

function changeOf(before: Verdict, after: Verdict): keyof MappingImpact['counts'] {
  const [read, reads] = [isRead(before), isRead(after)]
  if (read !== reads) return reads ? 'newly_readable' : 'becomes_unreadable'
  return !reads || meant(before) === meant(after) ? 'same' : 'changed'
}

const isRead = ({ outcome }: Verdict) => outcome !== 'rejected' && outcome !== 'held'

/** What a readable message comes to: its signal, or why it is none. */
function meant({ outcome, reason_code, signal }: Verdict): string {
  return JSON.stringify(signal ?? [outcome, reason_code])
}

// 送出測試: a message through the real reading, recorded as a test, never as a signal.

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
  await tx.db.insertInto('messages').values(delivery).execute()
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
