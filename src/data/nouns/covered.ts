// What a later edit on another device covered, read from the answers that the outbox keeps: also when the worker sent the call.
import type { Overwritten } from '#contract/notification.ts'
import type { OutboxSnapshot } from '../outbox/outbox.ts'
import type { Arrived } from '../outbox/rows.ts'

/** One covered value, with the name under which it was seen. */
export type Covered = Overwritten & { key: string }

/** What an answer says was covered; nothing where the server does not tell it yet. */
export function overwrittenIn({ result }: Pick<Arrived, 'result'>): readonly Overwritten[] {
  return (result as { overwritten?: Overwritten[] } | null | undefined)?.overwritten ?? []
}

/**
 * Values that two devices wrote differently: the earlier ones, while something else stands there. The newest of a path counts,
 * and whoever sets the field here afterwards has decided.
 */
export function coveredIn(
  { rows, receipts }: OutboxSnapshot,
  is_mine: (call: { endpoint: string; params: Record<string, string> }) => boolean,
  standing: (path: string) => unknown,
): Covered[] {
  const found = new Map<string, Covered>()
  const decided = (body: object | null) => {
    for (const path of Object.keys(body ?? {})) found.delete(path)
  }
  for (const receipt of receipts.filter(is_mine).sort((a, b) => a.sent_at - b.sent_at)) {
    decided(receipt.body)
    for (const one of overwrittenIn(receipt))
      found.set(one.path, { ...one, key: `${receipt.key} ${one.path}` })
  }
  for (const row of rows) if (row.state !== 'failed' && is_mine(row)) decided(row.body)
  return [...found.values()].filter(
    ({ path, value }) => JSON.stringify(standing(path)) !== JSON.stringify(value),
  )
}
