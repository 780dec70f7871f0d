/* 送出測試: a sample through the real reading, on the spot; it never becomes a signal. */
import { useMutation } from '@tanstack/react-query'
import { type Delivery, type HookAnswer, testWebhook } from '#contract/webhook.ts'
import { useData } from '#features/shell/data.tsx'
import { failureSentence } from '#features/shell/failure.ts'
import { number, price } from '#text/format.ts'
import { ACTION_WORDS } from '#trading/action-words.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'

/** What was understood: 買進 1 口 MXF @46,500. */
function understood({ normal }: Delivery): string {
  if (!normal) return '讀懂了。'
  const { action, symbol, quantity, price: at } = normal
  const parts = [
    action && ACTION_WORDS[action],
    quantity !== null && `${number(quantity)} 口`,
    symbol,
    at !== null && `@${price(at)}`,
  ]
  return `讀懂了：${parts.filter(Boolean).join(' ')}`
}

function verdict({ delivery, answer }: { delivery: Delivery; answer: HookAnswer }) {
  return answer.status === 'rejected'
    ? { good: false, text: answer.reason ?? delivery.reason ?? '這則訊息讀不懂' }
    : { good: true, text: `${understood(delivery)}（測試，不計入紀錄）` }
}

export function TestLine({ webhook_id }: { webhook_id: string }) {
  const data = useData()
  const test = useMutation({ mutationFn: () => data.client.call(testWebhook, { id: webhook_id }) })
  const said = test.error
    ? { good: false, text: failureSentence(test.error, '') }
    : test.data && verdict(test.data)
  return (
    <div className="cn-test">
      <Button size="s" kind="soft" icon="send" busy={test.isPending} onClick={() => test.mutate()}>
        送出測試
      </Button>
      <p role="status" className={said?.good ? 'good-ink' : said ? 'danger-ink' : 'ink3'}>
        {said && <Icon name={said.good ? 'check' : 'warning'} size={16} />}
        <span>{said ? said.text : '用一則範例訊息試試伺服器讀不讀得懂。'}</span>
      </p>
    </div>
  )
}
