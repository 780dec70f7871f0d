/* 送出測試: an editable message through the real reading; it never becomes a signal. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { latency } from '#text/format.ts'
import { exampleLevelOf, exampleSymbol } from '#trading/examples.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Fold } from '#ui/Card.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from '../SettingsTab.module.css'
import { normalRows, verdictOf } from './words.ts'

function sampleOf(strategy: Strategy): string {
  const { settings } = strategy
  return `{"action":"buy","symbol":"${exampleSymbol(settings)}","contracts":"1","price":"${exampleLevelOf(settings)}"}`
}

export function TestCard({ webhook, strategy }: { webhook: Webhook; strategy: Strategy }) {
  const ctx = useCtx()
  const [body, setBody] = useState(() => sampleOf(strategy))
  const test = useMutation(webhookMutations.test(ctx))
  const delivery = test.data?.delivery
  const verdict = delivery && verdictOf(delivery)
  return (
    <Card flush>
      <Fold title={<b>送出測試</b>} note="不計入紀錄">
        <div className="col gap16">
          <TextField
            label="訊息內容"
            hint="照這個 Webhook 現在的設定解析，不會成為訊號，也不通知任何人。"
            value={body}
            onChange={setBody}
            rows={4}
            mono
          />
          <Refused text={test.error && failureSentence(test.error, '沒有送出，')} />
          <div className="row gap8">
            <Button
              kind="soft"
              icon="send"
              busy={test.isPending}
              disabled={!body.trim()}
              onClick={() => test.mutate({ id: webhook.id, body })}
            >
              送出測試
            </Button>
            <Button
              kind="ghost"
              disabled={body === sampleOf(strategy)}
              onClick={() => setBody(sampleOf(strategy))}
            >
              還原範例
            </Button>
          </div>
        </div>
        <div role="status">
          {delivery && verdict && (
            <div className={css.result}>
              <p className="row gap8">
                <Tag tone={verdict.tone} icon={verdict.icon}>
                  {verdict.text}
                </Tag>
                <span className="t13 ink3 num">{latency(delivery.duration_ms)}</span>
              </p>
              {delivery.outcome === 'held' ? (
                <p>沒看過的寫法：真的送來時會先等你確認，看過一次，以後就直接收下。</p>
              ) : (
                delivery.reason && <p>{delivery.reason}</p>
              )}
              {delivery.normal && <KeyValues rows={normalRows(delivery.normal)} />}
            </div>
          )}
        </div>
      </Fold>
    </Card>
  )
}
