/* 部位變化: how each position came to be, as a step line or as a table, from the records on this device. */

import { lazy, Suspense, useMemo, useState } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { isWhole } from '#data/nouns/figures.ts'
import { useWide } from '#screen/browser.ts'
import { useData, useRecords } from '#screen/data.tsx'
import { mdHms, number, taipei, ymd } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { averageText, priceOf, priceText, productText } from '#text/row.ts'
import { positionText } from '#text/signal.ts'
import { instantOf } from '#trading/calendar.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { Card, Table } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Segments } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import css from '../OverviewTab.module.css'
import { fromOf, legiblePeriod, PERIODS, type Period } from '../overview/periods.ts'
import { changesOf, type PositionChange, stepPoints } from './history.ts'

// the chart library is heavier than the rest of the page
const HistoryChart = lazy(() =>
  import('./HistoryChart.tsx').then(({ HistoryChart }) => ({ default: HistoryChart })),
)

/** So many steps can be told apart. */
const LEGIBLE = { wide: 150, narrow: 60 }

export function HistoryCard({ strategy, now }: { strategy: Strategy; now: number }) {
  const { signals } = useData()
  const { items, state, total_known } = useRecords(strategy.id)
  /** Some are on their way from the device's store into memory. */
  const coming = state === 'loading' || signals.getSnapshot().items.length < total_known
  const [wanted, setPeriod] = useState<Period | null>(null)
  const [first, setFirst] = useState<{ settled: string; period: Period } | null>(null)
  const most = useWide() ? LEGIBLE.wide : LEGIBLE.narrow
  const [chosen, setChosen] = useState<string | null>(null)
  const [listed, setListed] = useState(false)
  const rule = 'contract_rule' in strategy.settings ? strategy.settings.contract_rule : null
  const all = useMemo(() => changesOf(items, { contract_rule: rule }), [items, rule])
  // what moved last comes first
  const keys = [...all].sort(([, a], [, b]) => newest(b).localeCompare(newest(a))).map(([key]) => key)
  const key = chosen !== null && all.has(chosen) ? chosen : keys[0]
  const changes = (key === undefined ? undefined : all.get(key)) ?? []
  const whole = isWhole(items, strategy.chain_head.chain_seq)
  // settled once: what comes in meanwhile does not turn the picture
  const settled = `${key} ${whole}`
  if (changes.length > 0 && first?.settled !== settled) {
    const instants = changes.map(({ record }) => record.occurred_at)
    setFirst({ settled, period: legiblePeriod(instants, most, now) })
  }
  const period = wanted ?? first?.period ?? 'all'
  const from = fromOf(period, now)
  const from_ms = from === null ? 0 : Date.parse(instantOf(from, '00:00'))
  // a minute is enough for where the line ends
  const until = Math.floor(now / 60_000) * 60_000
  const points = useMemo(() => stepPoints(changes, from_ms, until), [changes, from_ms, until])
  const shown = changes.filter(({ record }) => Date.parse(record.occurred_at) >= from_ms)
  const oldest = items.at(-1)
  // whatever stood here meanwhile would be pushed away
  if (items.length === 0 && coming)
    return (
      <Card title="部位變化" className={css.HistoryCardCard}>
        <div className={css.HistoryCardWait} role="status" aria-label="部位變化載入中" />
      </Card>
    )
  return (
    <Card title="部位變化" className={css.HistoryCardCard}>
      <div className={css.HistoryCardHead}>
        {keys.length > 1 && (
          <SelectField
            label={ASSET_FACTS[assetOf(strategy)].chosen}
            value={key ?? ''}
            onChange={setChosen}
            options={keys.map((value) => ({ value, label: nameOf(all.get(value)) }))}
          />
        )}
        <Segments fill label="期間" value={period} onChange={setPeriod} options={PERIODS} />
      </div>
      {points.length === 0 ? (
        <p className={`${css.HistoryCardNone} ink3`}>
          {items.length === 0 ? '這支裝置還沒有這個策略的紀錄。' : '這段期間部位沒有變化。'}
        </p>
      ) : (
        <>
          <div className={css.HistoryCardView}>
            <Suspense
              fallback={<div className={css.HistoryCardWait} role="status" aria-label="圖表載入中" />}
            >
              <HistoryChart points={points} asset={assetOf(strategy)} />
            </Suspense>
            {listed && <HistoryTable changes={shown} />}
          </div>
          <button
            type="button"
            className={css.HistoryCardTurn}
            aria-pressed={listed}
            onClick={() => setListed(!listed)}
          >
            <Icon name={listed ? 'strategy' : 'rows'} size={16} />
            {listed ? '看圖' : '以表格看'}
            <span className="sp" />
            <span className="num t13 ink3">{number(shown.length)} 次變化</span>
          </button>
        </>
      )}
      <p className={css.HistoryCardNote}>
        橫軸是時間，往上是多，往下是空；還沒送達的不畫。
        {!whole &&
          !coming &&
          oldest &&
          `這支裝置存著這個策略最新的 ${number(items.length)} 筆，自 ${ymd(oldest.occurred_at)} 起。`}
        圖表使用{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
          TradingView Lightweight Charts™
        </a>
        ，Copyright © TradingView, Inc.
      </p>
    </Card>
  )
}

type Changes = ReturnType<typeof changesOf>
const newest = (changes: Parameters<typeof nameOf>[0]) => changes?.at(-1)?.record.occurred_at ?? ''

function nameOf(changes: ReturnType<Changes['get']>): string {
  const record = changes?.at(-1)?.record
  return record ? productText(record) : ''
}

/* The step line as a table, over the chart in its place: every change with its price and the average it left. */

const ROWS = 250

/** Oldest first. */
export function HistoryTable({ changes }: { changes: readonly PositionChange<SignalRecord>[] }) {
  const shown = changes.slice(-ROWS).reverse()
  const year = taipei(serverNow()).year
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={css.HistoryTableTable} aria-label="每次變化" tabIndex={0}>
      <Table className="num">
        <thead>
          <tr>
            <th>時間</th>
            <th className="n">部位</th>
            <th className="n">價格</th>
            <th className="n">均價</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ record, before, after }) => {
            const at = taipei(record.occurred_at)
            const price = priceOf(record)
            const average = record.derived.avg_price_after
            return (
              <tr key={record.id}>
                <td>
                  {at.year !== year && `${at.year}/`}
                  {mdHms(record.occurred_at)}
                </td>
                <td className="n">
                  {positionText(before, record.asset)} → <b>{positionText(after, record.asset)}</b>
                </td>
                <td className="n">{price === null ? '待補價' : priceText(record, price)}</td>
                <td className="n">{average === null ? '—' : averageText(record, average)}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
      {changes.length > ROWS && <p className="t12 ink3">最新 {number(ROWS)} 次變化</p>}
    </section>
  )
}
