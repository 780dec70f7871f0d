/* Whether the bridge of a webhook has reported in the last five minutes; it says PING when nothing else is to be sent. */
import type { Webhook } from '#contract/webhook.ts'
import { useNow } from '#screen/use-now.ts'
import { ago } from '#text/format.ts'
import { Tag } from '#ui/Tag.tsx'

/** A bridge reports every four minutes. */
const FRESH_MS = 5 * 60_000

/** `at` when the webhook last heard anything (ISO), null never. */
export function Reporting({ at }: { at: Webhook['last_heard_at'] }) {
  const now = useNow()
  if (at === null) return <Tag icon="clock">還沒有回報</Tag>
  return Date.parse(now) - Date.parse(at) <= FRESH_MS ? (
    <Tag tone="good" icon="check">
      5 分鐘內有回報
    </Tag>
  ) : (
    <Tag icon="clock">{ago(at, now)}回報</Tag>
  )
}
