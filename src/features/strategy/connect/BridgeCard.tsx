/* 橋接程式: the program for senders that only write files, with the address in it, how to start it, and whether it reports. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { BRIDGE_FILES, type BridgePlatform, type Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { saveFile, useNow } from '#screen/browser.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { ago } from '#text/format.ts'
import { BRIDGE_COMMANDS } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Hint } from '#ui/Field.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './ConnectStep.module.css'

const PLATFORMS = [
  { value: 'powershell', label: 'Windows 內建' },
  { value: 'python', label: 'Python' },
] as const satisfies readonly { value: BridgePlatform; label: string }[]

/** `step` its number among the steps of connecting. */
export type BridgeCardProps = { webhook: Webhook; step?: string }

export function BridgeCard({ webhook, step }: BridgeCardProps) {
  const ctx = useCtx()
  const [platform, setPlatform] = useState<BridgePlatform>('powershell')
  const fetch = useMutation({
    ...webhookMutations.bridge(ctx),
    onSuccess: (file) => {
      saveFile(file)
      toast({ title: `已下載 ${file.filename}`, icon: 'check' })
    },
  })
  return (
    <Card
      title={step ? `${step}　橋接程式` : '橋接程式'}
      remark={<Reporting at={webhook.last_heard_at} />}
      pad
    >
      <div className={css.bridge}>
        <p className="t14">
          XQ 與 MultiCharts 只會寫檔案。這支程式盯著那些檔案，新的一行馬上送到這個 Webhook，網址已經填好。
        </p>
        <Segments label="用什麼執行" fill value={platform} onChange={setPlatform} options={PLATFORMS} />
        <Button
          icon="download"
          busy={fetch.isPending}
          onClick={() => fetch.mutate({ id: webhook.id, platform })}
        >
          下載 {BRIDGE_FILES[platform]}
        </Button>
        {fetch.error && <Hint error>{failureSentence(fetch.error, '沒有下載，')}</Hint>}
        <CodeBlock
          code={BRIDGE_COMMANDS[platform]}
          label="啟動的指令"
          copy="複製啟動指令"
          wrap
          clear
          className={css.bridgeCode}
        />
        <ul className={css.bridgeMind} aria-label="橋接程式要注意的">
          <li>在存放程式的資料夾執行，把路徑換成腳本寫檔案的地方；* 代表任何字</li>
          <li>視窗開著就會一直送；第一次執行時已經在檔案裡的行不送</li>
          <li>連不上時會等，恢復後照順序補送</li>
          <li>網址等於密碼：換了網址要重新下載，檔案不要給別人</li>
        </ul>
      </div>
    </Card>
  )
}

/* Whether the bridge of a webhook has reported in the last five minutes; it says PING when nothing else is to be sent. */

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
