// How much of an owner's room on the server is taken: said before a form is refused for want of it.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Usage } from '#contract/usage.ts'
import { bytes, number } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { FailState } from '#ui/FailState.tsx'
import { KeyValues } from '#ui/KeyValues.tsx'
import { cx } from '#ui/open.ts'
import { Wait } from '#ui/Wait.tsx'
import { failureSentence } from './failure.ts'
import { Stale } from './Stale.tsx'
import css from './UsageCard.module.css'

const shown = (share: Usage[keyof Usage] | undefined, unit: (value: number) => string) =>
  share ? `${unit(share.used)} / ${unit(share.most)}` : '—'

/** `whose` says what is counted here. */
export type UsageCardProps = {
  query: Pick<UseQueryResult<Usage>, 'data' | 'error' | 'isFetching' | 'refetch' | 'dataUpdatedAt'>
  whose: string
}

export function UsageCard({ query, whose }: UsageCardProps) {
  const { data: usage, error, isFetching, refetch } = query
  if (!usage && error)
    return (
      <Card title="伺服器上的空間" pad>
        <FailState row title="讀不到伺服器上的空間" busy={isFetching} onRetry={() => void refetch()}>
          {failureSentence(error)}
        </FailState>
      </Card>
    )
  return (
    <Card title="伺服器上的空間" pad>
      {error && <Stale at={query.dataUpdatedAt} />}
      <KeyValues
        rows={[
          { label: '策略', value: shown(usage?.strategies, (count) => `${number(count)} 個`) },
          { label: '說明', value: shown(usage?.note_signs, (signs) => `${number(signs)} 字`) },
          { label: '圖片', value: shown(usage?.image_bytes, bytes) },
          { label: '沒收下、重複、忽略的訊息', value: shown(usage?.refused_bytes, bytes) },
        ]}
      />
      <div className={css.foot}>
        <p className={cx('t13 ink3', !usage && css.later)}>
          {whose}訊息留 30 天；空間用完後，新的訊息只留結果與原因，不留內容。
        </p>
        {!usage && (
          <div role="status">
            <Wait />
          </div>
        )}
      </div>
    </Card>
  )
}
