/* 個股統計: what each stock of the strategy has made and what is held of it, for a period. */

import { useState } from 'react'
import { STOCK_SORTS } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { useWide } from '#screen/browser.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { full, mdHm, number, when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { type StockFigures, type StockRow, type StockSort, sortedStocks } from '#trading/stock-statistics.ts'
import { Button } from '#ui/Button.tsx'
import { Table } from '#ui/Card.tsx'
import { Banner, EmptyState, FailState, StaleNote } from '#ui/EmptyState.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { ChipSelect, Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from '../OverviewTab.module.css'
import { fromOf, PERIODS, type Period } from '../overview/periods.ts'
import { FigureValue } from '../Standing.tsx'
import { useStocks } from '../use-figures.ts'
import { averageOf, factor, heldOf, linesOf, nameOf, ORDERS, priceOf, rate, returned } from './words.ts'

const AT_ONCE = 100

export function StocksTab({ strategy }: { strategy: Strategy }) {
  const { on: masked } = usePrivacy()
  const wide = useWide()
  const [period, setPeriod] = useState<Period>('all')
  const [sort, setSort] = useState<StockSort>('net_pnl')
  const [most, setMost] = useState(AT_ONCE)
  const [opened, setOpened] = useState<StockRow | 'all' | null>(null)
  const { data, error, as_of, retry, busy, by } = useStocks(strategy, fromOf(period, serverNow()))
  if (!data)
    return error ? (
      <FailState card title="算不出個股統計" onRetry={retry} busy={busy}>
        {failureSentence(error, '紀錄都還在，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="個股統計計算中" />
    )
  if (period === 'all' && data.rows.length === 0) return null
  const rows = sortedStocks(data.rows, sort)
  const shown = rows.slice(0, most)
  const parts = { rows: shown, total: data.total, masked, onOpen: setOpened }
  return (
    <div className="stack" data-by={by}>
      {error !== null && as_of !== null && <StaleNote offline={false} time={when(as_of, serverNow())} />}
      {data.basis === 'visible' && strategy.access && (
        <Banner icon="info">
          個股統計自 {strategy.access.visible_from.replaceAll('-', '/')}{' '}
          起，也就是你開始看得到這個策略的那一天。
        </Banner>
      )}
      <div className={css.StocksTabHead}>
        <h2>個股統計</h2>
        <ChipSelect
          label="排序"
          value={sort}
          onChange={setSort}
          options={STOCK_SORTS.map((value) => ({ value, label: ORDERS[value] }))}
          says={ORDERS[sort]}
        />
        <Segments fill label="期間" value={period} onChange={setPeriod} options={PERIODS} />
      </div>
      {rows.length === 0 ? (
        <EmptyState card title="這段期間沒有訊號與交易">
          換一段期間再看。
        </EmptyState>
      ) : wide ? (
        <StocksTable {...parts} sort={sort} onSort={setSort} />
      ) : (
        <StockLines {...parts} />
      )}
      {rows.length > most && (
        <Button wide onClick={() => setMost(most + AT_ONCE)}>
          再列出 {number(Math.min(AT_ONCE, rows.length - most))} 檔
        </Button>
      )}
      <p className="t12 ink3">
        期間依平倉的交易日；持有、均價與參考價是現在的。參考價是最後一筆訊號的價格，不是即時行情；未實現損益未扣出場成本。
      </p>
      {opened && (
        <StockSheet
          of={opened === 'all' ? data.total : opened}
          row={opened === 'all' ? null : opened}
          strategy_id={strategy.id}
          masked={masked}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

/* The stocks as a table, for wide screens: heads put the rows in order, a row opens. */

/** `rows` in their order; `total` over all of them, also those that are not shown. */
export type StocksProps = {
  rows: readonly StockRow[]
  total: StockFigures
  masked: boolean
  onOpen: (row: StockRow | 'all') => void
}
export type StocksTableProps = StocksProps & { sort: StockSort; onSort: (sort: StockSort) => void }

const HEADS: readonly { label: string; sort?: StockSort }[] = [
  { label: '訊號', sort: 'signal_count' },
  { label: '交易', sort: 'trade_count' },
  { label: '勝率', sort: 'win_rate' },
  { label: '淨損益', sort: 'net_pnl' },
  { label: '獲利因子' },
  { label: '平均報酬' },
  { label: '持有' },
  { label: '均價' },
  { label: '參考價' },
  { label: '未實現', sort: 'unrealised_pnl' },
  { label: '最近訊號', sort: 'last_signal_at' },
]

export function StocksTable({ rows, total, masked, onOpen, sort, onSort }: StocksTableProps) {
  const head = (label: string, by: StockSort | undefined, first = false) => {
    const on = by === sort
    return (
      <th
        key={label}
        scope="col"
        className={cx(!first && 'n')}
        aria-sort={on ? (by === 'symbol' ? 'ascending' : 'descending') : undefined}
      >
        {by ? (
          <button
            type="button"
            className={cx(css.StocksTableSort, on && css.StocksTableOn)}
            onClick={() => onSort(by)}
          >
            {label}
            {on && <Icon name="arrow-down" size={14} />}
          </button>
        ) : (
          label
        )}
      </th>
    )
  }
  return (
    <div className="card flush">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={css.StocksTableScroll} aria-label="個股統計，可左右捲動" tabIndex={0}>
        <Table className={cx(css.StocksTableTable, 'num')}>
          <thead>
            <tr>
              {head('代號・名稱', 'symbol', true)}
              {HEADS.map(({ label, sort }) => head(label, sort))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.symbol}>
                <th scope="row">
                  <button type="button" className={cx(css.StocksTableName, 'el')} onClick={() => onOpen(row)}>
                    {nameOf(row)}
                  </button>
                </th>
                <Counted of={row} masked={masked} />
                <td className="n">{heldOf(row)}</td>
                <td className="n">{averageOf(row)}</td>
                <td className="n">{priceOf(row)}</td>
                <Ends of={row} open={row.open_shares !== 0} masked={masked} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                <button type="button" className={css.StocksTableName} onClick={() => onOpen('all')}>
                  合計
                </button>
              </th>
              <Counted of={total} masked={masked} />
              <td />
              <td />
              <td />
              <Ends of={total} open masked={masked} />
            </tr>
          </tfoot>
        </Table>
      </section>
    </div>
  )
}

function Counted({ of, masked }: { of: StockFigures; masked: boolean }) {
  return (
    <>
      <td className="n">{number(of.signal_count)}</td>
      <td className="n">{number(of.trade_count)}</td>
      <td className="n">{rate(of.win_rate)}</td>
      <td className="n">
        <Delta value={of.trade_count === 0 ? null : of.net_pnl} masked={masked} strong arrow={false} />
      </td>
      <td className="n">{factor(of)}</td>
      <td className="n">{returned(of.avg_return_pct)}</td>
    </>
  )
}

/** `open` something is held. */
function Ends({ of, open, masked }: { of: StockFigures; open: boolean; masked: boolean }) {
  return (
    <>
      <td className="n">
        <Delta value={open ? of.unrealised_pnl : null} masked={masked && open} arrow={false} />
      </td>
      <td className="n ink3">{of.last_signal_at === null ? '—' : mdHm(of.last_signal_at)}</td>
    </>
  )
}

/* The stocks on a phone: two short lines each, the sum in front. */

export function StockLines({ rows, total, masked, onOpen }: StocksProps) {
  return (
    <ul className="card flush" aria-label="個股統計">
      {rows.length > 1 && (
        <li>
          <Line name="合計" of={total} held={null} masked={masked} onOpen={() => onOpen('all')} />
        </li>
      )}
      {rows.map((row) => (
        <li key={row.symbol}>
          <Line
            name={nameOf(row)}
            of={row}
            held={row.open_shares === 0 ? null : heldOf(row)}
            masked={masked}
            onOpen={() => onOpen(row)}
          />
        </li>
      ))}
    </ul>
  )
}

type LineProps = {
  name: string
  of: StockFigures
  held: string | null
  masked: boolean
  onOpen: () => void
}

function Line({ name, of, held, masked, onOpen }: LineProps) {
  return (
    <button type="button" className={cx(css.StockLines, 'num')} onClick={onOpen}>
      <span className={cx(css.StockLinesLine, 't16')}>
        <b className="el">{name}</b>
        <span className="sp" />
        <Delta value={of.trade_count === 0 ? null : of.net_pnl} masked={masked} strong arrow={false} />
      </span>
      <span className={cx(css.StockLinesLine, 't13 ink3 nowrap')}>
        <span className="el">
          {number(of.trade_count)} 筆交易{of.win_rate !== null && ` · 勝率 ${rate(of.win_rate)}`}
          {held && ` · 持有 ${held}`}
        </span>
        <span className="sp" />
        {of.unrealised_pnl !== null && of.unrealised_pnl !== 0 && (
          <span className={css.StockLinesLine}>
            未實現 <Delta value={of.unrealised_pnl} masked={masked} arrow={false} />
          </span>
        )}
      </span>
    </button>
  )
}

/* One stock opened, or all of them: every figure, and the way to its signals. */

/** `row` null where it is about all of them. */
export type StockSheetProps = {
  of: StockFigures
  row: StockRow | null
  strategy_id: string
  masked: boolean
  onClose: () => void
}

export function StockSheet({ of, row, strategy_id, masked, onClose }: StockSheetProps) {
  const { go } = useGo()
  return (
    <Sheet
      open
      onClose={onClose}
      title={row ? nameOf(row) : '合計'}
      {...(of.last_signal_at !== null && { subtitle: `最近訊號 ${full(of.last_signal_at)}` })}
      {...(row && {
        foot: (
          <Button
            wide
            {...go(`/strategies/${strategy_id}?tab=signals&text=${encodeURIComponent(row.symbol)}`)}
          >
            看這一檔的訊號
          </Button>
        ),
      })}
    >
      <FigureValue>
        <Delta value={of.trade_count === 0 ? null : of.net_pnl} unit="元" masked={masked} />
      </FigureValue>
      <KeyValues rows={linesOf(of, row, masked)} />
    </Sheet>
  )
}
