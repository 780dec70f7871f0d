/* 我的策略: up to six, each with its small curve and what it has made. */

import { memo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { signedPercent } from '#text/format.ts'
import { heldText } from '#text/signal.ts'
import { STATUS_TEXT, tradedText } from '#text/strategy.ts'
import { assetOf } from '#trading/kinds.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { MiniCurve } from '#ui/MiniCurve.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import css from './Mine.module.css'

const SHOWN = 6

export const Mine = memo(function Mine({
  strategies,
  masked,
  money,
}: {
  strategies: readonly Strategy[]
  masked: boolean
  /** False shows positions instead, as the page's first card does. */
  money: boolean
}) {
  const { open } = useGo()
  return (
    <Card
      title="我的策略"
      action={
        <a className="link t13" href="/strategies" onClick={opens(() => open('/strategies'))}>
          策略列表
        </a>
      }
    >
      <CardRows links className={css.root}>
        {strategies.slice(0, SHOWN).map((strategy) => {
          const { status } = strategy
          const href = `/strategies/${strategy.id}`
          return (
            <li key={strategy.id} className={cx(status !== 'active' && 'paused')}>
              <a href={href} onClick={opens(() => open(href))} title={strategy.name}>
                <span className="sp">
                  <b className="el">{strategy.name}</b>
                  <small className="el">
                    {tradedText(strategy)}
                    {status !== 'active' && ` · ${STATUS_TEXT[status]}`}
                  </small>
                </span>
                {money ? (
                  <Made strategy={strategy} masked={masked} />
                ) : (
                  <span className="num ink2 nowrap">{heldText(strategy.positions, assetOf(strategy))}</span>
                )}
              </a>
            </li>
          )
        })}
      </CardRows>
    </Card>
  )
})

function Made({ strategy, masked }: { strategy: Strategy; masked: boolean }) {
  const { summary, status, curve } = strategy
  const traded = summary.trade_count > 0
  return (
    <>
      <MiniCurve
        points={curve}
        width={84}
        height={28}
        area={false}
        muted={status !== 'active'}
        label={`${strategy.name}的權益曲線`}
      />
      <span className={cx(css.value, 'r')}>
        <Delta value={traded ? summary.net_profit : null} arrow={false} strong masked={masked} />
        <small className="num">
          {traded && summary.total_return !== null ? signedPercent(summary.total_return) : '還沒有交易'}
        </small>
      </span>
    </>
  )
}
