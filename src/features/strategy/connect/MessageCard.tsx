/* The message to paste: three ways of writing it, then what is easily forgotten at the sender. */

import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { Card } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Hint } from '#ui/Hint.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import css from './MessageCard.module.css'
import { messageOf, partsOf } from './message.ts'
import { OFFERED_WORDS, type Offered, SENDERS } from './senders.ts'

export function MessageCard({ url, strategy }: { url: string; strategy: Strategy }) {
  const { offered, mind } = SENDERS[strategy.kind]
  const [shown, setShown] = useState<Offered>(offered[0])
  const { text, label, hint } = messageOf(shown, url, strategy)
  return (
    <Card title="2　要貼的訊息">
      <div className={cx(css.body, 'pad')}>
        <Segments
          label="訊息格式"
          fill
          value={shown}
          onChange={setShown}
          options={offered.map((id) => ({ value: id, label: OFFERED_WORDS[id] }))}
        />
        <CodeBlock
          code={partsOf(text)}
          label={label}
          copy={shown === 'curl' ? '複製指令' : '複製訊息'}
          wrap={shown === 'curl'}
          clear
          className={css.code}
        />
        <Hint>{hint}</Hint>
        {shown !== 'curl' && (
          <ul className={css.mind} aria-label="容易漏掉的地方">
            {mind.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
