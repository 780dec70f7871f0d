/* One request of a replay as a line: what it was, what it becomes. Ten thousand of them are held: words, not messages. */
import type { ReplayChange, ReplayItem } from '#contract/webhook-format.ts'
import { readAs } from '#text/webhook.ts'
import { type VerdictChip, verdictOf } from '../words.ts'

export type ReplayLine = {
  id: string
  received_at: string
  change: ReplayChange
  before: VerdictChip
  after: VerdictChip
  /** What was read until now; null when nothing was. */
  was: string | null
  says: string
}

export function lineOf({
  delivery_id,
  received_at,
  change,
  before,
  after,
  made,
  why,
}: ReplayItem): ReplayLine {
  const is = readAs(after.normal)
  const says =
    why ??
    (change === 'changed'
      ? `${is}（${made === 'correction' ? '另記一筆更正價格' : '原紀錄作廢，另記一筆'}）`
      : (after.reason ??
        (after.outcome === 'duplicate' ? '和先前一則重複，不另成訊號。' : is) ??
        '沒有可顯示的內容'))
  return {
    id: delivery_id,
    received_at,
    change,
    before: verdictOf(before),
    after: verdictOf(after),
    was: change === 'changed' || change === 'now_refused' ? readAs(before.normal) : null,
    says,
  }
}
