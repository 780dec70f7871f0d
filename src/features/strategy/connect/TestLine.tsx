/* 送出測試: a sample through the real reading, on the spot; it never becomes a signal. */
import { useMutation } from '@tanstack/react-query'
import type { Delivery, HookAnswer } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { readAs } from '#text/read-as.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from './TestLine.module.css'

function understood({ normal }: Delivery): string {
  const read = readAs(normal)
  return read ? `讀懂了：${read}` : '讀懂了'
}

function verdict({ delivery, answer }: { delivery: Delivery; answer: HookAnswer }) {
  if (answer.status === 'held')
    return { good: true, text: '收得到。這種寫法第一次會先問你，確認過就直接收下（測試，不計入紀錄）' }
  return answer.status === 'rejected'
    ? { good: false, text: answer.reason ?? delivery.reason ?? '這則訊息讀不懂' }
    : { good: true, text: `${understood(delivery)}（測試，不計入紀錄）` }
}

export function TestLine({ webhook_id }: { webhook_id: string }) {
  const test = useMutation(webhookMutations.test(useCtx()))
  const said = test.error
    ? { good: false, text: failureSentence(test.error, '') }
    : test.data && verdict(test.data)
  return (
    <div className={css.root}>
      <Button
        size="s"
        kind="soft"
        raised
        icon="send"
        busy={test.isPending}
        onClick={() => test.mutate({ id: webhook_id })}
      >
        送出測試
      </Button>
      <p role="status" className={said?.good ? 'good-ink' : said ? 'danger-ink' : 'ink3'}>
        {said && <Icon name={said.good ? 'check' : 'warning'} size={16} className={css.icon} />}
        <span>{said ? said.text : '用一則範例訊息試試伺服器讀不讀得懂。'}</span>
      </p>
    </div>
  )
}
