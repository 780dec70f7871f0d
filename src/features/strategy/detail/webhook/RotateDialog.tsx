/* A new address for a webhook, and how long the old one still works. */
import { useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { mdHm } from '#text/format.ts'
import { Segments } from '#ui/Segments.tsx'

type Grace = 'now' | '1h' | '24h'
const GRACES: readonly { value: Grace; label: string }[] = [
  { value: 'now', label: '立即失效' },
  { value: '1h', label: '再用 1 小時' },
  { value: '24h', label: '再用 24 小時' },
]

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [grace, setGrace] = useState<Grace>('1h')
  const done = ({ old_url_until }: Webhook) => ({
    title: old_url_until ? `已換新網址，舊的可用到 ${mdHm(old_url_until)}` : '已換新網址，舊的立即失效',
  })
  return (
    <Ask
      title="重新產生網址"
      verb="產生新網址"
      icon="refresh"
      mild
      mutation={webhookMutations.change(useCtx(), webhook)}
      input={{ kind: 'rotate', grace }}
      done={done}
      safe="網址沒有變，"
      onClose={onClose}
    >
      <p>訊號來源那邊要換上新的網址。網址外流時請選立即失效。</p>
      <Segments label="舊網址" value={grace} onChange={setGrace} options={GRACES} tall wide />
    </Ask>
  )
}
