/* One position: what is held, at which average, what it was last seen at, and what it would bring. */

import type { ReactNode } from 'react'
import { number, percent, signed, signedPercent, when } from '#text/format.ts'
import { averageText, priceText } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import type { Asset } from '#trading/record.ts'
import { Masked } from '#ui/Figures.tsx'
import { Delta, Seal, StateWord } from '#ui/nouns/Delta.tsx'
import css from './PositionRow.module.css'
import type { PositionLine } from './rows.ts'

/** `part` of everything held, null where it says nothing (one position, futures). `masked` hides money. */
export type PositionRowProps = {
  line: PositionLine
  asset: Asset
  part: number | null
  now: number
  masked: boolean
}

export function PositionRow({ line, asset, part, now, masked }: PositionRowProps) {
  const { name, quantity, recorded, avg_price, ref_price, ref_at, unrealised_pnl, why } = line
  const { seal, held } = positionWords(quantity, asset)
  const of = { asset, symbol: line.symbol, trading_date: taipeiDay(ref_at ?? new Date(now).toISOString()) }
  const stock = asset === 'stock'
  return (
    <li className={css.row}>
      <div className={css.what}>
        <h3 className="el">{name}</h3>
        <p className="row gap6 t16">
          {seal && <Seal glyph={seal} />}
          <b className="num">{held}</b>
        </p>
        {recorded !== null && (
          <p className="row wrap gap6 t13">
            <StateWord text="待送出" icon="tray" tone="wait" />
            <span className="ink3 num">現在 {positionWords(recorded, asset).word}</span>
          </p>
        )}
      </div>
      <dl className={css.figures}>
        <Figure label="均價">{avg_price === null ? '—' : averageText(of, avg_price)}</Figure>
        <Figure label="參考價" more={ref_at && when(ref_at, now)}>
          {ref_price === null ? '—' : priceText(of, ref_price)}
        </Figure>
        {stock && (
          <Figure label="市值" more={part !== null && `占 ${percent(part, 1)}`}>
            {line.worth === null ? '—' : masked ? <Masked /> : number(line.worth)}
          </Figure>
        )}
        <Figure label={ASSET_FACTS[asset].open_pnl} more={why ?? BROUGHT[asset](line, masked)}>
          <Delta value={unrealised_pnl} unit="元" strong masked={masked && unrealised_pnl !== null} />
        </Figure>
      </dl>
      {part !== null && (
        <i className={css.part} style={{ inlineSize: `${part * 100}%` }} aria-hidden="true" />
      )}
    </li>
  )
}

/** What it would bring beside the money; points of one contract say as much as money, a return does not. */
const BROUGHT: Record<Asset, (line: PositionLine, masked: boolean) => string | false> = {
  futures: ({ points }, masked) =>
    !masked &&
    points !== null &&
    `${signed(points, Number.isInteger(points) ? 0 : 2)} ${ASSET_FACTS.futures.priced}`,
  stock: ({ share }) => share !== null && `報酬率 ${signedPercent(share)}`,
}

function Figure({ label, more, children }: { label: string; more?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
      {more && <dd className={css.more}>{more}</dd>}
    </div>
  )
}
