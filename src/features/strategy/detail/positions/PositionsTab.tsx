import { type ReactNode, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { number, percent, signed, signedPercent, when } from '#text/format.ts'
import { averageText, priceText } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import type { Asset } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Masked } from '#ui/Figures.tsx'
import { Delta, Seal, StateWord } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from '../OverviewTab.module.css'
import { type PositionLine, partOf, positionLines, totalOf } from './rows.ts'

/* 部位: every position that is held, with its sum where there are several; a hundred at a time. */

const AT_ONCE = 100

/** `strategy` with what waits on this device laid over it, `recorded` without. */
export type PositionListProps = { strategy: Strategy; recorded: Strategy; now: number; masked: boolean }

export function PositionList({ strategy, recorded, now, masked }: PositionListProps) {
  const [shown, setShown] = useState(AT_ONCE)
  const asset = assetOf(strategy)
  const lines = positionLines(strategy, recorded)
  const total = totalOf(lines)
  const waits = lines.some((line) => line.recorded !== null)
  return (
    <Card title="現在部位" flush {...(lines.length > 1 && { count: lines.length })}>
      {lines.length === 0 ? (
        <p className={css.PositionListFlat}>
          <b className="t20">空手</b>
          <span className="ink3 t13">沒有持有任何部位。</span>
        </p>
      ) : (
        <ul>
          {lines.slice(0, shown).map((line) => (
            <PositionRow
              key={line.key}
              line={line}
              asset={asset}
              part={lines.length > 1 ? partOf(line, total) : null}
              now={now}
              masked={masked}
            />
          ))}
        </ul>
      )}
      {lines.length > shown && (
        <div className={css.PositionListMore}>
          <Button wide onClick={() => setShown(shown + AT_ONCE)}>
            再列出 {number(Math.min(AT_ONCE, lines.length - shown))} 檔
          </Button>
        </div>
      )}
      {lines.length > 1 && (
        <p className={`${css.PositionListTotal} num`}>
          <span>合計</span>
          {asset === 'stock' && <span>市值 {masked ? <Masked /> : <b>{number(total.worth)}</b>} 元</span>}
          <span>
            {ASSET_FACTS[asset].open_pnl} <Delta value={total.unrealised} unit="元" strong masked={masked} />
          </span>
          {total.left_out > 0 && (
            <span className={cx(css.PositionListLeft, 'ink3')}>
              {number(total.left_out)} 檔還沒有新價格，損益未計入
            </span>
          )}
        </p>
      )}
      {lines.length > 0 && (
        <p className={css.PositionListNote}>
          損益未扣出場成本。參考價是這個{ASSET_FACTS[asset].traded}
          最後一筆訊號的價格，不是即時行情。
          {waits && '「待送出」是這支裝置上還沒送達的手動訊號，送達之後才成為紀錄。'}
        </p>
      )}
    </Card>
  )
}

/* One position: what is held, at which average, what it was last seen at, and what it would bring. */

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
    <li className={css.PositionRowRow}>
      <div className={css.PositionRowWhat}>
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
      <dl className={css.PositionRowFigures}>
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
        <i className={css.PositionRowPart} style={{ inlineSize: `${part * 100}%` }} aria-hidden="true" />
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
      {more && <dd className={css.PositionRowMore}>{more}</dd>}
    </div>
  )
}
