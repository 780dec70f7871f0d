/* Where the strategy stands now: position with average, and what it would be worth at the last signal price (ruling A31); — until one came after the entry. */
import type { Strategy } from '#contract/strategy.ts'
import { decimals, number, when } from '#text/format.ts'
import { positionWords } from '#text/signal.ts'
import { findProduct } from '#trading/products.ts'
import { Delta } from '#ui/Delta.tsx'
import { Seal } from '#ui/Seal.tsx'

/** `masked` hides money. */
export type StandingProps = { strategy: Strategy; masked: boolean }

export function Standing({ strategy, masked }: StandingProps) {
  const asset = strategy.kind === 'futures' ? 'futures' : 'stock'
  const [first, ...rest] = strategy.positions
  if (!first)
    return (
      <dl className="standing">
        <div>
          <dt>現在部位</dt>
          <dd className="t16">空手</dd>
        </div>
      </dl>
    )
  const { seal, held } = positionWords(first.quantity, asset)
  return (
    <dl className="standing">
      <div>
        <dt>
          現在部位
          {asset === 'stock' && ` · ${first.symbol} ${first.symbol_name}`}
          {rest.length > 0 && ` 等 ${strategy.positions.length} 檔`}
        </dt>
        <dd className="row gap6 t16">
          {seal && <Seal glyph={seal} />}
          <b className="num">{held}</b>
          {first.avg_price !== null && (
            <span className="num ink3 t14">均價 {priced(first.symbol, first.avg_price)}</span>
          )}
        </dd>
      </div>
      {rest.length === 0 && (
        <div>
          <dt>
            未平倉損益
            {first.unrealised_pnl !== null && first.ref_price !== null && (
              <span className="num">
                {' '}
                · 參考價 {priced(first.symbol, first.ref_price)}
                {first.ref_at && `（${when(first.ref_at, Date.now())}）`}
              </span>
            )}
          </dt>
          <dd className="t16 w6">
            <Delta value={first.unrealised_pnl} unit="元" masked={masked} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** With the decimals of its tick, or more when an average needs them (two at most). */
function priced(symbol: string, value: number): string {
  const tick = findProduct(symbol)?.tick ?? 1
  return number(value, Math.max(decimals(tick), Math.min(2, decimals(value))))
}
