/* The message to paste: three ways of writing it, then what is easily forgotten at the sender. */
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { Card } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Segments } from '#ui/Segments.tsx'
import { messageOf, OFFERED, OFFERED_WORDS, type Offered, partsOf } from './message.ts'

const MIND = [
  'TradingView 付費方案，並開啟兩步驟驗證，才有 Webhook',
  '快訊的條件選策略本身，策略的變數才會填入實際的值',
  '指標快訊的頻率選「每根 K 棒收盤」',
  '快訊會到期，到期前記得延長',
]

export function MessageCard({ url, strategy }: { url: string; strategy: Strategy }) {
  const [shown, setShown] = useState<Offered>('tradingview_strategy')
  const { text, label, hint } = messageOf(shown, url, strategy)
  return (
    <Card title="2　要貼的訊息" pad className="cn-message">
      <Segments
        label="訊息格式"
        value={shown}
        onChange={setShown}
        options={OFFERED.map((id) => ({ value: id, label: OFFERED_WORDS[id] }))}
      />
      <CodeBlock
        code={partsOf(text)}
        label={label}
        copy={shown === 'curl' ? '複製指令' : '複製訊息'}
        wrap={shown === 'curl'}
      />
      <p className="hint">{hint}</p>
      {shown !== 'curl' && (
        <ul className="cn-mind" aria-label="容易漏掉的地方">
          {MIND.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
