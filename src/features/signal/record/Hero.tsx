/* The record in one look: what, one big number, the position before and after. */

import type { SignalRecord } from '#contract/signal.ts'
import { mdHms } from '#text/format.ts'
import { amountOf, averageText, priceOf, priceText, productText, wordsOf } from '#text/row.ts'
import { positionWords, stateWords } from '#text/signal.ts'
import { isRedacted } from '#trading/record.ts'
import { Big } from '#ui/Figures.tsx'
import { Delta, Seal, StateWord, sealTone } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { priceName, verbOf } from '../words.ts'
import css from './Hero.module.css'

/** `average` before, null when unknown; `masked` hides money. */
export type HeroProps = { record: SignalRecord; average: number | null; masked: boolean }

export function Hero({ record, average, masked }: HeroProps) {
  const { derived } = record
  const words = wordsOf(record)
  const { quantity, unit } = amountOf(record)
  const voided = derived.status === 'voided'
  const states = stateWords({ ...record, status: derived.status })
  return (
    <section className={voided ? `${css.hero} ${css.voided}` : css.hero}>
      <div className={`${css.what} t16`}>
        <span className={css.act}>
          <Seal glyph={words.seal} hollow={!words.solid} voided={voided} />
          {words.word}
        </span>
        <span>{productText(record)}</span>
        {record.source !== 'void' && !isRedacted(record) && (
          <span className="ink2 num nowrap">
            {quantity} {unit}
          </span>
        )}
        <span className="sp" />
        <time className="t13 ink3 num nowrap" dateTime={record.occurred_at}>
          {mdHms(record.occurred_at)}
        </time>
      </div>
      <Figure record={record} masked={masked} />
      {states.length > 0 && (
        <p className={css.states}>
          {states.map((state) => (
            <StateWord key={state.text} {...state} />
          ))}
        </p>
      )}
      {derived.effect !== 'none' && <Change record={record} average={average} />}
    </section>
  )
}

function Change({ record, average }: { record: SignalRecord; average: number | null }) {
  const { derived, asset } = record
  const verb = verbOf({ asset, ...derived })
  const up = derived.position_after > derived.position_before
  const after = positionWords(derived.position_after, asset)
  return (
    <div className={css.step}>
      <Side title={`${verb}前`} quantity={derived.position_before} record={record} price={average} />
      <svg viewBox="0 0 96 44" width="96" height="44" aria-hidden="true">
        <path
          d={up ? 'M4 34H40C50 34 46 10 58 10H84' : 'M4 10H40C50 10 46 34 58 34H84'}
          fill="none"
          stroke="var(--chart-line)"
          strokeWidth="1.75"
          strokeLinecap="round"
        />
        <g className={sealTone(after.seal ?? '')} fill="currentColor">
          <circle cx="86" cy={up ? 10 : 34} r="6" opacity=".16" />
          <circle cx="86" cy={up ? 10 : 34} r="3" />
        </g>
      </svg>
      <Side
        title={`${verb}後`}
        quantity={derived.position_after}
        record={record}
        price={derived.avg_price_after}
        end
      />
    </div>
  )
}

type SideProps = {
  title: string
  quantity: number
  record: SignalRecord
  price: number | null
  end?: boolean
}

function Side({ title, quantity, record, price, end = false }: SideProps) {
  const { word, seal } = positionWords(quantity, record.asset)
  const signal = priceOf(record)
  const under =
    quantity !== 0 && price !== null
      ? `均價 ${averageText(record, price)}`
      : quantity === 0 && end && signal !== null
        ? `${priceName(record)} ${priceText(record, signal)}`
        : '\u00a0'
  return (
    <div className={end ? 'r' : undefined}>
      <small>{title}</small>
      <b className={`num ${seal ? sealTone(seal) : ''}`}>{word}</b>
      <span className="num t13 ink3">{under}</span>
    </div>
  )
}

/* The one big number of an opened record, with the words under it that say what it is. */

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
