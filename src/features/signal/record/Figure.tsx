/* The one big number of an opened record, with the words under it that say what it is. */
import type { SignalRecord } from '#contract/signal.ts'
import { priceOf, priceText } from '#text/row.ts'
import { isRedacted } from '#trading/record.ts'
import { Big } from '#ui/Figures.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { priceName } from '../words.ts'
import css from './Hero.module.css'

/** What the trader looks for first: what was earned when something was closed, otherwise the price. */
export function Figure({ record, masked }: { record: SignalRecord; masked: boolean }) {
  const { derived } = record
  const price = priceOf(record)
  if (derived.realised_pnl !== null && derived.status !== 'voided')
    return (
      <>
        <p className={css.big}>
          <Delta value={derived.realised_pnl} unit="元" masked={masked} big={!masked} />
        </p>
        <p className="t13 ink3">這筆已實現淨損益，已扣進出場成本</p>
      </>
    )
  if (isRedacted(record))
    return (
      <p className="ink2">
        {record.source === 'void' ? '作廢' : '更正'}
        的是你看得到的期間開始之前的訊號，內容不顯示；部位與損益已重算。
      </p>
    )
  if (record.source === 'void') return <p className={`${css.big} t20`}>{record.reason ?? '沒有填寫原因'}</p>
  if (derived.status === 'voided')
    return (
      <>
        {price !== null && (
          <Big as="p" className={cx(css.big, 'num')}>
            {priceText(record, price)}
          </Big>
        )}
        <p className="t13 ink3">已作廢：不計入部位、損益與統計</p>
      </>
    )
  return (
    <>
      <Big as="p" className={cx(css.big, 'num')}>
        {price === null ? '—' : priceText(record, price)}
      </Big>
      <p className="t13 ink3">
        {derived.status === 'corrected' || record.source === 'correction'
          ? correctedWords(record)
          : price === null
            ? '訊號沒有帶價格。補上之前，碰到它的損益不計入統計。'
            : derived.status === 'price_suspect'
              ? '價格可疑：和上一個價格差太多。部位照算，碰到它的損益待確認。價格沒錯就確認，有錯就更正；下一筆的價格相近，也會自動計入。'
              : derived.effect === 'none'
                ? `部位沒有變動：${derived.none_reason ?? '與原部位相同'}`
                : priceName(record)}
      </p>
    </>
  )
}

function correctedWords(record: SignalRecord): string {
  if (record.source === 'correction') return '更正後的價格'
  return record.price === null
    ? '補上的價格，訊號沒有帶價格'
    : `更正後的價格，訊號價 ${priceText(record, record.price)}`
}
