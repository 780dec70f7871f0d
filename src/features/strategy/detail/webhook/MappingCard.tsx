/* 欄位對應: what is set, and the two ways to make one: from a message that came, or from one that is pasted. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhook.ts'
import { type GivenMessage, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { mdHms } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fold } from '#ui/Fold.tsx'
import { KeyValues } from '#ui/KeyValues.tsx'
import { cx } from '#ui/open.ts'
import css from './MappingCard.module.css'
import { mappingRows } from './mapping/words.ts'

/** `onMap` opens the mapping of a message; null asks for one to be pasted. */
export type MappingCardProps = { webhook: Webhook; onMap: (message: GivenMessage | null) => void }

export function MappingCard({ webhook, onMap }: MappingCardProps) {
  const ctx = useCtx()
  const deliveries = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook.id)).data
  const last = deliveries?.pages[0]?.items.find(
    ({ body, body_encoding }) => body && body_encoding === 'utf-8',
  )
  const { mapping } = webhook
  return (
    <Card flush>
      <Fold title={<b>欄位對應</b>} note={mapping ? '自訂' : '自動判斷'}>
        <p className={cx(css.lead, 't13 ink3')}>
          常見的欄位名稱會自動認得。認不得的，用一則實際的訊息建立對應：先試讀、看影響，再儲存。
        </p>
        {mapping && <KeyValues rows={mappingRows(mapping)} />}
        {webhook.no_count && (
          <p className={cx(css.lead, 't13 warn-ink')}>
            序號「{mapping?.sequence}
            」大多不是一則加一，看不出少了哪一則，所以不再提醒缺號。若它是時間或價格，請換一個欄位或拿掉。
          </p>
        )}
        <div className={css.ways}>
          {last && (
            <Button kind="soft" onClick={() => onMap({ delivery_id: last.id })}>
              用 {mdHms(last.received_at)} 那一則
            </Button>
          )}
          <Button kind={last ? 'ghost' : 'soft'} onClick={() => onMap(null)}>
            貼一則訊息
          </Button>
        </div>
      </Fold>
    </Card>
  )
}
