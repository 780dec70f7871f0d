/* 持倉中策略: who holds what, and what it is worth at the last known price. */

import type { Dashboard } from '#contract/dashboard.ts'
import { useGo } from '#screen/go.ts'
import { positionWords } from '#text/signal.ts'
import { assetOf } from '#trading/kinds.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { Seal } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import { floatingOf } from './day.ts'
import { Floating } from './Floating.tsx'
import css from './OpenStrategies.module.css'

const SHOWN = 4

/** `money` false leaves the P&L out (members of an organization that does not share its figures). */
export function OpenStrategies({
  board,
  masked,
  money,
}: {
  board: Dashboard
  masked: boolean
  money: boolean
}) {
  const { open } = useGo()
  const held = board.strategies.filter(({ positions }) => positions.length > 0)
  const more = board.open_strategy_count - Math.min(held.length, SHOWN)
  const rows = held.slice(0, more > 0 ? SHOWN - 1 : SHOWN)
  return (
    <Card
      label="持倉中策略"
      title="持倉中策略"
      count={board.open_strategy_count}
      action={money && rows.length > 0 && <small className="ink3">未平倉損益</small>}
    >
      {rows.length === 0 ? (
        <p className={css.none}>目前都空手。</p>
      ) : (
        <CardRows className={css.root}>
          {rows.map((strategy) => {
            const [position, ...others] = strategy.positions
            const words = positionWords(position?.quantity ?? 0, assetOf(strategy))
            const href = `/strategies/${strategy.id}`
            return (
              <li key={strategy.id}>
                <a className="el sp" href={href} onClick={opens(() => open(href))} title={strategy.name}>
                  {strategy.name}
                </a>
                {others.length === 0 && words.seal && <Seal glyph={words.seal} />}
                <span className="num ink2 nowrap">
                  {others.length === 0 ? words.held : `${others.length + 1} 個部位`}
                </span>
                {money && (
                  <span className={cx(css.value, 'r')}>
                    <Floating
                      {...floatingOf({ strategies: [strategy], open_strategy_count: 1 })}
                      masked={masked}
                      tight
                    />
                  </span>
                )}
              </li>
            )
          })}
          {more > 0 && rows.length < board.open_strategy_count && (
            <li>
              <a className="link t13" href="/strategies" onClick={opens(() => open('/strategies'))}>
                另有 {board.open_strategy_count - rows.length} 個策略持倉
              </a>
            </li>
          )}
        </CardRows>
      )}
    </Card>
  )
}
