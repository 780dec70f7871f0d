// Announcements as I left them: what I read here is read, also while that waits. Apart from their calls, because the first page asks.
import type { OutboxSnapshot } from '../outbox/outbox.ts'

/** The same with what was read here, also while that waits; `data_at` when the answer came (ms). */
export function layRead<T extends { readonly id: string; readonly read_at: string | null }>(
  items: readonly T[],
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
): readonly T[] {
  const at = new Map<string, string>()
  for (const { endpoint, params, sent_at } of receipts)
    if (endpoint === 'announcement.read' && sent_at >= data_at)
      at.set(params['id'] ?? '', new Date(sent_at).toISOString())
  for (const { endpoint, params, state, created_at } of rows)
    if (endpoint === 'announcement.read' && state !== 'failed') at.set(params['id'] ?? '', created_at)
  if (at.size === 0) return items
  return items.map((one) => {
    const read_at = one.read_at === null ? at.get(one.id) : undefined
    return read_at === undefined ? one : { ...one, read_at }
  })
}
