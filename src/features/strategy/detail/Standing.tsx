/* Where the strategy stands now: position with average, and what it would be worth at the last signal price (ruling A31). */

import type { ReactNode } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { averageText, priceText, productText } from '#text/row.ts'
import { heldText, positionWords, unvalued } from '#text/signal.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import type { Asset } from '#trading/record.ts'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from '../StrategyDetailPage.module.css'

/** `at` beside the name or in a box of its own under it; `masked` hides money. */
export type StandingProps = { strategy: Strategy; masked: boolean; at: 'beside' | 'below' }

/** Three lines in two columns, whatever is held: a position that comes or goes moves nothing below. */
export function Standing({ strategy, masked, at }: StandingProps) {
  const asset = assetOf(strategy)
  const [first, ...rest] = strategy.positions
  const { seal, held } = positionWords(first?.quantity ?? 0, asset)
  const of = { asset, symbol: first?.symbol ?? '', trading_date: strategy.updated_at.slice(0, 10) } as const
  return (
    <dl className={cx(css.Standing, at === 'beside' ? css.StandingBeside : css.StandingBelow)}>
      <div>
        <dt>
          現在部位
          {first && rest.length === 0 && asset === 'stock' && ` · ${first.symbol} ${first.symbol_name}`}
        </dt>
        <dd className={cx(css.StandingHeld, 't16')}>
          {rest.length > 0 ? (
            <b className="num">{heldText(strategy.positions, asset)}</b>
          ) : first ? (
            <>
              {seal && <Seal glyph={seal} />}
              <b className="num">{held}</b>
            </>
          ) : (
            '空手'
          )}
        </dd>
        <dd className={cx(css.StandingMore, 'num')}>
          {rest.length > 0
            ? namedText(strategy.positions, asset)
            : typeof first?.avg_price === 'number' && `均價 ${averageText(of, first.avg_price)}`}
        </dd>
      </div>
      {first && rest.length === 0 && (
        <div>
          <dt>{ASSET_FACTS[asset].open_pnl}</dt>
          <dd className={cx(css.StandingHeld, 't16 w6')}>
            <Delta value={first.unrealised_pnl} unit="元" masked={masked} />
          </dd>
          <dd className={cx(css.StandingMore, 'num')}>
            {unvalued(first) ??
              (first.ref_price !== null &&
                `參考價 ${priceText(of, first.ref_price)}${first.ref_at ? `（${when(first.ref_at, serverNow())}）` : ''}`)}
          </dd>
        </div>
      )}
    </dl>
  )
}

const NAMED = 3

/** Which they are, the first few by name: 2330 多 2 張、2454 多 1 張…; the tab 部位 has all. */
function namedText(positions: Strategy['positions'], asset: Asset): string {
  const named = positions.slice(0, NAMED).map((one) => {
    const name = asset === 'stock' ? one.symbol : productText({ asset, ...one })
    return `${name} ${positionWords(one.quantity, asset).word}`
  })
  return `${named.join('、')}${positions.length > NAMED ? '…' : ''}`
}

/* The one number of a sheet: of a figure that is opened, of a trade. */

export function FigureValue({ children }: { children: ReactNode }) {
  return <p className={cx(css.FigureValue, 'num')}>{children}</p>
}
