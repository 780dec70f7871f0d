/* 部位: every position that is held, with its sum where there are several; a hundred at a time. */
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { number } from '#text/format.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Masked } from '#ui/Figures.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from './PositionList.module.css'
import { PositionRow } from './PositionRow.tsx'
import { partOf, positionLines, totalOf } from './rows.ts'

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
        <p className={css.flat}>
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
        <div className={css.more}>
          <Button wide onClick={() => setShown(shown + AT_ONCE)}>
            再列出 {number(Math.min(AT_ONCE, lines.length - shown))} 檔
          </Button>
        </div>
      )}
      {lines.length > 1 && (
        <p className={`${css.total} num`}>
          <span>合計</span>
          {asset === 'stock' && <span>市值 {masked ? <Masked /> : <b>{number(total.worth)}</b>} 元</span>}
          <span>
            {ASSET_FACTS[asset].open_pnl} <Delta value={total.unrealised} unit="元" strong masked={masked} />
          </span>
          {total.left_out > 0 && (
            <span className={cx(css.left, 'ink3')}>{number(total.left_out)} 檔還沒有新價格，損益未計入</span>
          )}
        </p>
      )}
      {lines.length > 0 && (
        <p className={css.note}>
          損益未扣出場成本。參考價是這個{ASSET_FACTS[asset].traded}
          最後一筆訊號的價格，不是即時行情。
          {waits && '「待送出」是這支裝置上還沒送達的手動訊號，送達之後才成為紀錄。'}
        </p>
      )}
    </Card>
  )
}
