/* One strategy as a card; its place in a list that is not drawn whole. Drawn again only when it or its bell changes. */

import { memo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { useInTurn } from '#screen/in-turn.ts'
import { serverNow } from '#text/now.ts'
import { strategyLine } from '#text/strategy.ts'
import { StrategyCard } from '#ui/nouns/StrategyCard.tsx'
import css from './OneCard.module.css'
import { StrategyMark } from './StrategyMark.tsx'
import { StrategyMenu } from './StrategyMenu.tsx'
import { shownOf } from './shown.ts'
import { UntilMark } from './UntilMark.tsx'
import type { StrategyBell } from './use-bell.ts'

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
  if (!strategy) return <div className={`card ${css.coming}`} aria-hidden="true" />
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
