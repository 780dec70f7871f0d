/* 訊息範本: what to paste at the sender, made ready for this webhook and product. */
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import { exampleSymbol } from '#trading/examples.ts'
import { MESSAGE_TEMPLATES, type MessageTemplate } from '#trading/message-templates.ts'
import { Card } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Segments } from '#ui/Segments.tsx'
import { partsOf, senderOf } from '../../connect/senders.ts'

type Id = MessageTemplate['id']
const SHORT: Record<Id, string> = {
  tradingview_strategy: 'TradingView',
  four_actions: '四動作',
  indicator: '指標',
  xq_print: 'XQ',
  curl: 'curl',
}

export function TemplatesCard({ webhook, strategy }: { webhook: Webhook; strategy: Strategy }) {
  const [shown, setShown] = useState<Id>(
    webhook.format === 'xq' || senderOf(strategy.kind).bridge ? 'xq_print' : 'tradingview_strategy',
  )
  const found = MESSAGE_TEMPLATES.find(({ id }) => id === shown)
  if (!found) return null
  const text =
    shown === 'curl'
      ? found.text.replace('{{URL}}', webhook.url ?? '').replace('MXF1!', exampleSymbol(strategy.settings))
      : found.text.replaceAll('","', '",\n "')
  return (
    <Card title="訊息範本">
      <div className="col gap12 pad">
        <Segments
          label="範本"
          value={shown}
          onChange={setShown}
          options={MESSAGE_TEMPLATES.map(({ id }) => ({ value: id, label: SHORT[id] }))}
          wide
        />
        <CodeBlock
          code={partsOf(text)}
          label={found.label}
          copy={shown === 'curl' ? '複製指令' : '複製訊息'}
          wrap
        />
        <p className="t13 ink3">{found.hint}</p>
      </div>
    </Card>
  )
}
