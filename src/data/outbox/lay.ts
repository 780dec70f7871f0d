// What waiting calls write over a kept answer. Taking a row out of the outbox is the whole rollback; which fields are whose, each noun says.
import type { OutboxSnapshot } from './outbox.ts'

/**
 * The fields that calls of these names write, oldest first: what arrived after `data_at` (ms; the answer does not know of it
 * yet), then what waits. What the server refused does not count. Null when there is nothing.
 */
export function written(
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
  is_mine: (call: { endpoint: string; params: Record<string, string> }) => boolean,
): Record<string, unknown> | null {
  const parts = receipts
    .filter((receipt) => receipt.sent_at >= data_at && is_mine(receipt))
    .sort((a, b) => a.sent_at - b.sent_at)
    .flatMap(({ body, result }) => [body, result as object | null])
  for (const row of rows) if (row.state !== 'failed' && is_mine(row)) parts.push(row.body)
  return parts.length > 0 ? Object.assign({}, ...parts) : null
}
