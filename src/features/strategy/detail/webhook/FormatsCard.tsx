/* 訊息格式: what this webhook's messages may look like: those that wait to be seen, then those that are read. */
import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhook.ts'
import type { WebhookFormat } from '#contract/webhook-format.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { number } from '#text/format.ts'
import { fieldsText, waitingText } from '#text/webhook.ts'
import type { Asset } from '#trading/record.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'

export type FormatsCardProps = {
  webhook: Webhook
  asset: Asset
  /** Address of one. */
  href: (id: string) => string
  onOpen: (id: string) => void
}

export function FormatsCard({ webhook, asset, href, onOpen }: FormatsCardProps) {
  const { data, error, isFetching, refetch } = useQuery(webhookQueries.formats(useCtx(), webhook.id))
  return (
    <Card title="訊息格式" flush>
      <p className="pad t13 ink3">現成的範本直接收。其他寫法第一次會先問你，看過一次，以後就照那樣讀。</p>
      {webhook.no_count && (
        <p className="pad t13 warn-ink">
          序號「{webhook.mapping?.sequence}
          」大多不是一則加一，看不出少了哪一則，所以不再提醒缺號。若它是時間或價格，請在格式裡換一個欄位或拿掉。
        </p>
      )}
      {data ? (
        <CardRows links>
          {data.items.map((format) => (
            <li key={format.id}>
              {format.id.startsWith('builtin:') ? (
                <div>
                  <b>{format.name}</b>
                  <small>現成的格式，不用確認</small>
                </div>
              ) : (
                <a href={href(format.id)} onClick={opens(() => onOpen(format.id))}>
                  {format.state === 'waiting' && <Icon name="clock" className="warn-ink" />}
                  <span className="sp">
                    <b>{format.state === 'waiting' ? waitingText(format) : format.name}</b>
                    <small>
                      {format.state === 'waiting' ? countText(format) : fieldsText(format.fields, asset)}
                    </small>
                  </span>
                  <Icon name="chevron-right" size={16} className="ink3" />
                </a>
              )}
            </li>
          ))}
        </CardRows>
      ) : error ? (
        <FailState title="讀不到訊息格式" onRetry={() => void refetch()} busy={isFetching}>
          {failureSentence(error, '格式都在伺服器上，')}
        </FailState>
      ) : (
        <Skeleton inside label="訊息格式載入中" />
      )}
    </Card>
  )
}

const countText = ({ waiting_count }: WebhookFormat) =>
  waiting_count > 0 ? `${number(waiting_count)} 則等你確認` : '照舊收下，等你確認'
