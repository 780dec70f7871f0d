// How much of an owner's room on the server is taken: said before a form is refused for want of it.
import type { OrganizationUsage, Usage } from '#contract/profile.ts'
import { bytes, number } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { cx } from '#ui/open.ts'
import { Wait } from '#ui/Skeleton.tsx'
import { Stale } from './Connection.tsx'
import css from './cards.module.css'
import { failureSentence } from './failure.ts'

const of = (unit: string) => (count: number) => `${number(count)} ${unit}`
type Line = readonly [key: Exclude<keyof Usage, 'records'>, label: string, unit: (value: number) => string]

const REFUSED: readonly Line[] = [
  ['strategies', '策略', of('個')],
  ['note_signs', '說明', of('字')],
  ['image_bytes', '圖片', bytes],
  ['original_bytes', '原始資料', bytes],
  ['imported', '匯入的訊號（作廢的也算）', of('筆')],
  ['rules', '個股規則', of('條')],
  ['announcement_signs', '公告', of('字')],
  ['refused_bytes', '沒收下、重複、忽略的訊息', bytes],
]
const GIVING_WAY: readonly Line[] = [
  ['message_bytes', '成為訊號的訊息', bytes],
  ['deliveries', '接收紀錄', of('筆')],
  ['notifications', '通知', of('則')],
  ['events', '同步到裝置的變動', of('筆')],
  ['access_notes', '存取紀錄', of('筆')],
  ['answer_bytes', '給重送的回覆', bytes],
  ['sign_ins', '登入（結束的也算）', of('次')],
  ['receivers', '收通知的裝置與聊天', of('個')],
]

const OF_ACCOUNT: ReadonlySet<string> = new Set(['notifications', 'answer_bytes', 'sign_ins', 'receivers'])

/** `whose` says what is counted here; `account`: with what only an account has. */
export type UsageCardProps = {
  query: {
    data: (OrganizationUsage & Partial<Usage>) | undefined
    error: Error | null
    isFetching: boolean
    dataUpdatedAt: number
    refetch: () => unknown
  }
  whose: string
  account?: boolean
}

export function UsageCard({ query, whose, account = false }: UsageCardProps) {
  const { data: usage, error, isFetching, refetch } = query
  if (!usage && error)
    return (
      <Card title="伺服器上的空間" flush>
        <FailState row title="讀不到伺服器上的空間" busy={isFetching} onRetry={() => void refetch()}>
          {failureSentence(error)}
        </FailState>
      </Card>
    )
  const rows = (lines: readonly Line[]) =>
    lines
      .filter(([key]) => account || !OF_ACCOUNT.has(key))
      .map(([key, label, unit]) => {
        const share = usage?.[key]
        return { label, value: share ? `${unit(share.used)} / ${unit(share.most)}` : '—' }
      })
  return (
    <Card title="伺服器上的空間" pad>
      {error && <Stale at={query.dataUpdatedAt} />}
      <KeyValues
        rows={[
          { label: '訊號紀錄', value: usage ? `${of('筆')(usage.records)}，永久保留` : '—' },
          ...rows(REFUSED),
        ]}
      />
      <p className={cx('t13 ink3', css.UsageCardPart)}>以下各項滿了就清掉最舊的；訊息內容最多留 30 天。</p>
      <KeyValues rows={rows(GIVING_WAY)} />
      <div className={css.UsageCardFoot}>
        <p className={cx('t13 ink3', !usage && css.UsageCardLater)}>
          {whose}沒收下的訊息滿了以後，新的只留結果與原因。
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
