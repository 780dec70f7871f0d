/* 交易: every closed trade with what it cost, newest first. */

import { useMutation } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { statisticsMutations } from '#data/nouns/statistics.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { held, MASK, number, signed, signedPercent, when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { mdHm } from '#text/time.ts'
import type { Trade } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState, StaleNote } from '#ui/EmptyState.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { Chips } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from '../OverviewTab.module.css'
import { type FoundFigures, useFigures } from '../use-figures.ts'
import { TradeLine, TradeSheet } from './TradeSheet.tsx'
import { matches, nameOf, priceOf, quantityOf, type Result, type SideChoice } from './words.ts'

const SIDES = [
  { value: 'long', label: '多' },
  { value: 'short', label: '空' },
] as const
const RESULTS = [
  { value: 'win', label: '獲利' },
  { value: 'loss', label: '虧損' },
] as const

export function TradesTab({ strategy }: { strategy: Strategy }) {
  const { on: masked } = usePrivacy()
  const [side, setSide] = useState<SideChoice>('all')
  const [result, setResult] = useState<Result>('all')
  const [opened, setOpened] = useState<Trade | null>(null)
  const { trades, older, figures } = useTrades(strategy)
  if (!figures.data)
    return figures.error ? (
      <FailState card title="讀不到交易" onRetry={figures.retry} busy={figures.busy}>
        {failureSentence(figures.error, '紀錄都還在，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="交易載入中" />
    )
  const { summary, initial_capital } = figures.data
  if (summary.trade_count === 0)
    return (
      <EmptyState card title="還沒有平倉的交易">
        進場與出場配成一筆之後，會連同成本列在這裡。
      </EmptyState>
    )
  const shown = trades.filter((trade) => matches(trade, side, result))
  const clear = () => {
    setSide('all')
    setResult('all')
  }
  const pick = (value: string) => {
    if (value === 'all') clear()
    if (value === 'long' || value === 'short') setSide(side === value ? 'all' : value)
    if (value === 'win' || value === 'loss') setResult(result === value ? 'all' : value)
  }
  return (
    <div className="stack">
      {figures.error !== null && figures.as_of !== null && (
        <StaleNote offline={false} time={when(figures.as_of, serverNow())} />
      )}
      <Chips
        label="篩選交易"
        onPick={pick}
        chips={[
          { value: 'all', label: '全部', on: side === 'all' && result === 'all', count: summary.trade_count },
          ...SIDES.map((chip) => ({ ...chip, on: side === chip.value })),
          ...RESULTS.map((chip) => ({ ...chip, on: result === chip.value })),
        ]}
      />
      {shown.length === 0 ? (
        <EmptyState card title="沒有符合的交易" action={<Button onClick={clear}>清除篩選</Button>} />
      ) : (
        <TradeWindow trades={shown} capital={initial_capital} masked={masked} onOpen={setOpened} />
      )}
      {older && (
        <Button busy={older.busy} onClick={older.load} wide>
          {older.failed ? '沒有載入，再試一次' : '載入更早的交易'}
        </Button>
      )}
      {opened && (
        <TradeSheet trade={opened} strategy={strategy} masked={masked} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

/* The virtual list of trades: only the rows in sight exist; columns on wide screens, two lines on phones. */

const [ONE_LINE, TWO_LINES, WIDE_PX] = [44, 64, 1000]

/** `capital` what returns are measured by when the trade has none of its own; null unknown. */
export type TradeWindowProps = {
  trades: readonly Trade[]
  capital: number | null
  masked: boolean
  onOpen: (trade: Trade) => void
}

export function TradeWindow({ trades, capital, masked, onOpen }: TradeWindowProps) {
  const box = useRef<HTMLUListElement>(null)
  const [frame, setFrame] = useState({ top: 0, wide: true })
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const { top, width } = node.getBoundingClientRect()
      const next = { top: top + window.scrollY, wide: width >= WIDE_PX }
      setFrame((old) => (Math.abs(old.top - next.top) < 0.5 && old.wide === next.wide ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const size = frame.wide ? ONE_LINE : TWO_LINES
  const virtual = useWindowVirtualizer({
    count: trades.length,
    estimateSize: () => size,
    getItemKey: (index) => trades[index]?.id ?? index,
    scrollMargin: frame.top,
    overscan: 10,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what invalidates the sizes
  useLayoutEffect(() => virtual.measure(), [size, virtual])
  const share = ({ return_pct, net }: Trade) => return_pct ?? (capital ? net / capital : null)
  return (
    <div className="card flush">
      {frame.wide && <TradeHead />}
      <ul
        ref={box}
        className={css.TradeWindowList}
        style={{ height: virtual.getTotalSize() }}
        aria-label="交易"
      >
        {virtual.getVirtualItems().map(({ index, key, start }, at) => {
          const trade = trades[index]
          if (!trade) return null
          const props = { trade, masked, ruled: at > 0, onOpen: () => onOpen(trade) }
          return (
            <li
              key={key}
              aria-setsize={trades.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - frame.top}px)`, height: size }}
            >
              {frame.wide ? <TradeRow {...props} share={share(trade)} /> : <TradeLine inset {...props} />}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/* One trade on a wide screen: a line of columns. */

const HEADS = ['方向・商品', '進場', '出場', '毛損益', '手續費', '稅', '滑價', '淨損益', '報酬', '持有']

/** What the columns are called. */
export function TradeHead() {
  return (
    <div className={cx(css.TradeRow, css.TradeRowHead)} aria-hidden="true">
      {HEADS.map((head) => (
        <span key={head}>{head}</span>
      ))}
    </div>
  )
}

/** `share` of the capital, null unknown; `ruled` with a hairline over it. */
export type TradeRowProps = {
  trade: Trade
  share: number | null
  masked: boolean
  ruled: boolean
  onOpen: () => void
}

export function TradeRow({ trade, share, masked, ruled, onOpen }: TradeRowProps) {
  const money = (value: number) => (masked ? MASK : number(value))
  return (
    <button
      type="button"
      className={cx(css.TradeRow, css.TradeRowRow, 'num', ruled && css.TradeRowRuled)}
      onClick={onOpen}
    >
      <span className="row gap6 el">
        <Seal glyph={trade.side === 'long' ? '多' : '空'} />
        <span className="el">{nameOf(trade)}</span>
        <span className="ink2">{quantityOf(trade)}</span>
      </span>
      <span>
        <small>{mdHm(trade.entry_at)}</small> {priceOf(trade, trade.entry_price)}
      </span>
      <span>
        <small>{mdHm(trade.exit_at)}</small> {priceOf(trade, trade.exit_price)}
      </span>
      <span className="ink2">{masked ? MASK : signed(trade.gross)}</span>
      <span className="ink3">{money(trade.fee)}</span>
      <span className="ink3">{money(trade.tax)}</span>
      <span className="ink3">{money(trade.slippage)}</span>
      <Delta value={trade.net} masked={masked} strong arrow={false} />
      <span className="ink2">{share === null ? '—' : signedPercent(share)}</span>
      <span className="ink3 el">{held(trade.holding_minutes)}</span>
    </button>
  )
}

// All trades of a strategy: at once where the device folds them, else the server's newest 200 and older ones when asked for.

interface Page {
  chain_seq: number
  trades: readonly Trade[]
  before: string | null
}

export interface Trades {
  figures: FoundFigures
  /** Newest first. */
  trades: readonly Trade[]
  /** How to get older ones; null when these are all. */
  older: { load: () => void; busy: boolean; failed: boolean } | null
}

export function useTrades(strategy: Strategy): Trades {
  const ctx = useCtx()
  const figures = useFigures(strategy, null)
  const [page, setPage] = useState<Page | null>(null)
  const newest = figures.data
  // A new record may have changed any trade: what was loaded further down is loaded again.
  const further = page && page.chain_seq === newest?.chain_seq ? page : null
  const before = further ? further.before : (newest?.trades_before ?? null)
  const more = useMutation({
    ...statisticsMutations.older(ctx, strategy.id),
    onSuccess: ({ chain_seq, trades, trades_before }) =>
      setPage({ chain_seq, trades: [...(further?.trades ?? []), ...trades], before: trades_before }),
  })
  return {
    figures,
    trades: [...(newest?.trades ?? []), ...(further?.trades ?? [])],
    older:
      before === null
        ? null
        : { load: () => more.mutate(before), busy: more.isPending, failed: more.isError },
  }
}
