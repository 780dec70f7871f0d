/* A new address for a webhook, and how long the old one still works. */

import { useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { mdHm } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Segments } from '#ui/Segments.tsx'
import { useChange } from './save.ts'

type Grace = 'now' | '1h' | '24h'
const GRACES: readonly { value: Grace; label: string }[] = [
  { value: 'now', label: '立即失效' },
  { value: '1h', label: '再用 1 小時' },
  { value: '24h', label: '再用 24 小時' },
]

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [grace, setGrace] = useState<Grace>('1h')
  const change = useChange(
    webhook,
    ({ old_url_until }) =>
      old_url_until ? `已換新網址，舊的可用到 ${mdHm(old_url_until)}` : '已換新網址，舊的立即失效',
    onClose,
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="重新產生網址"
      icon="refresh"
      actions={
        <>
          <Button firstFocus onClick={onClose}>
            取消
          </Button>
          <Button
            kind="filled"
            busy={change.isPending}
            onClick={() => change.mutate({ kind: 'rotate', grace })}
          >
            產生新網址
          </Button>
        </>
      }
    >
      <p>TradingView 那邊要換上新的網址。網址外流時請選立即失效。</p>
      <Segments label="舊網址" value={grace} onChange={setGrace} options={GRACES} tall wide />
      <Refused text={change.error && failureSentence(change.error, '網址沒有變，')} />
    </Dialog>
  )
}
