/* The strategies as cards. */

import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { serverNow, serverNowIso } from '#text/now.ts'
import { strategyLine } from '#text/strategy.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { StrategyCard } from '#ui/nouns/StrategyCard.tsx'
import css from '../StrategyListPage.module.css'
import { type LongProps, linesOf, shownOf } from './arrange.ts'
import { GroupHead, StrategyMark, StrategyMenu, UntilMark } from './StrategyMenu.tsx'
import type { StrategyBell } from './use-bell.ts'
import { useLong } from './use-strategies.ts'

/** `masked` privacy mode: money is hidden, percentages stay. `group` whose heading stands above; `today` when each shows its own last day. */
export type StrategiesProps = {
  items: readonly Strategy[]
  bell: StrategyBell
  masked: boolean
  group?: string
  today?: string
}

export function StrategyCards({ items, bell, masked, group, today }: StrategiesProps) {
  return (
    <div className="grid3">
      {group === undefined && <h2 className="vh">策略</h2>}
      {items.map((strategy) => (
        <OneCard key={strategy.id} strategy={strategy} bell={bell} masked={masked} today={today} />
      ))}
    </div>
  )
}

/* One strategy as a card; its place in a list that is not drawn whole. Drawn again only when it or its bell changes. */

/** `place` from 0 among `of`. `today` when it shows its own last day. `parts`: words first, then the curve, then the keys. */
export type OneCardProps = {
  strategy: Strategy | undefined
  place?: number
  of?: number
  bell: StrategyBell
  masked: boolean
  today?: string | undefined
  parts?: boolean
}

export const OneCard = memo(function OneCard({ strategy, ...rest }: OneCardProps) {
  if (!strategy) return <div className={`card ${css.OneCardComing}`} aria-hidden="true" />
  return <Known strategy={strategy} {...rest} />
})

function Known({
  strategy,
  place,
  of,
  bell,
  masked,
  today,
  parts = false,
}: OneCardProps & { strategy: Strategy }) {
  const { open } = useGo()
  const drawn = useInTurn(2, !parts)
  const shown = shownOf(strategy, new Date(serverNow()))
  const href = `/strategies/${strategy.id}`
  return (
    <StrategyCard
      name={strategy.name}
      meta={strategyLine(strategy)}
      href={href}
      onOpen={() => open(href)}
      points={drawn > 0 ? strategy.curve : null}
      pnl={shown.net}
      rate={shown.rate}
      figures={[
        { label: '勝率', value: shown.win_rate },
        { label: '獲利因子', value: shown.profit_factor },
        { label: '最大回撤', value: shown.drawdown },
      ]}
      seal={shown.seal}
      held={shown.held}
      average={shown.average}
      last={shown.last ?? '還沒有訊號'}
      tag={
        <>
          <StrategyMark strategy={strategy} />
          <UntilMark strategy={strategy} today={today} />
        </>
      }
      menu={drawn > 1 ? <StrategyMenu strategy={strategy} /> : null}
      {...(!getData().viewed && {
        bell: drawn > 1 ? { on: bell.on(strategy), onClick: () => bell.tap(strategy) } : null,
      })}
      paused={strategy.status !== 'active'}
      masked={masked}
      {...(strategy.positions.length > 1 ? { position: <b className="num">{shown.held}</b> } : {})}
      {...(place !== undefined && of !== undefined && { place: { at: place + 1, of } })}
    />
  )
}

/* More strategies than fit on a page, as cards: only those in sight are drawn, and asked for. */

/** As the grid of a short list has them (ui/page.css). */
const [LEAST_PX, GAP_PX, PHONE_GAP_PX] = [340, 20, 12]
const [CARD_PX, PHONE_CARD_PX, HEAD_PX] = [298, 197, 40]

export function LongCards({ total, at, reach, sections, wide, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const columns = useColumns(box, wide)
  const lines = useMemo(() => linesOf(total, columns, sections), [total, columns, sections])
  const sizes = {
    height: wide ? CARD_PX : PHONE_CARD_PX,
    head: HEAD_PX,
    gap: wide ? GAP_PX : PHONE_GAP_PX,
    overscan: 4,
  }
  const { virtual, shown, away, top, focus } = useLong(box, lines, sizes, reach)
  // the first ones stand at once, what scrolling brings in comes in parts
  const [stands, setStands] = useState(false)
  useEffect(() => setStands(true), [])
  const today = taipeiDay(serverNowIso())
  return (
    <div
      ref={box}
      role="feed"
      aria-label="策略"
      style={{ height: virtual.getTotalSize() }}
      className={css.LongCardsBox}
      {...focus}
    >
      {!sections && <h2 className="vh">策略</h2>}
      {[...shown, ...(away ? [away] : [])].map(({ index, key, start }) => {
        const line = lines[index]
        if (!line) return null
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={css.LongCardsLine}
            style={{
              transform: `translateY(${start - top}px)`,
              gridTemplateColumns: `repeat(${line.head ? 1 : columns}, minmax(0, 1fr))`,
            }}
          >
            {line.head && (
              <GroupHead
                name={line.head.name}
                until={line.head.valid_until}
                count={line.head.count}
                today={today}
              />
            )}
            {Array.from({ length: line.count }, (_, n) => {
              const place = line.from + n
              return (
                <OneCard
                  key={place}
                  strategy={at(place)}
                  place={place}
                  of={total}
                  today={line.dated ? today : undefined}
                  parts={stands}
                  {...rest}
                />
              )
            })}
          </div>
        )
      })}
    </div>
  )
}

function useColumns(box: RefObject<HTMLElement | null>, wide: boolean): number {
  const [columns, setColumns] = useState(wide ? 3 : 1)
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const gap = wide ? GAP_PX : PHONE_GAP_PX
      setColumns(Math.max(1, Math.floor((node.clientWidth + gap) / (LEAST_PX + gap))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [box, wide])
  return columns
}

// What comes into a list while it scrolls is drawn in parts, a frame for each: none of them alone makes a frame late.

/** Of a frame's time, for parts; at least one is drawn in each. */
const BUDGET_MS = 3
/** A tab without frames does not wait for one longer than this. */
const AT_LAST_MS = 1_000

const waiting = new Set<() => void>()
let asked = false
/** Something came in since the last frame: that frame has enough to do. */
let fresh = false

function ask(): void {
  if (asked) return
  asked = true
  let run: (() => void) | null = () => {
    run = null
    clearTimeout(timer)
    asked = false
    draw()
  }
  const timer = setTimeout(() => run?.(), AT_LAST_MS)
  requestAnimationFrame(() => run?.())
}

function draw(): void {
  if (fresh) {
    fresh = false
    ask()
    return
  }
  const end = performance.now() + BUDGET_MS
  for (const part of waiting) {
    waiting.delete(part)
    part()
    if (performance.now() >= end) break
  }
  if (waiting.size > 0) ask()
}

/** How many of `parts` are drawn: all at once where `whole`, else one more in each of its turns, from none. */
export function useInTurn(parts: number, whole: boolean): number {
  const [drawn, setDrawn] = useState(whole ? parts : 0)
  useEffect(() => {
    if (drawn >= parts) return
    if (drawn === 0) fresh = true
    const part = () => flushSync(() => setDrawn(drawn + 1))
    waiting.add(part)
    ask()
    return () => void waiting.delete(part)
  }, [drawn, parts])
  return drawn
}
