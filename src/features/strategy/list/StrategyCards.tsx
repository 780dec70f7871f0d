/* The strategies as cards. */
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { strategyLine } from '#text/strategy.ts'
import { StrategyCard } from '#ui/StrategyCard.tsx'
import { StrategyMark } from './StrategyMark.tsx'
import { StrategyMenu } from './StrategyMenu.tsx'
import { shownOf } from './shown.ts'
import { UntilMark } from './UntilMark.tsx'
import type { useBell } from './use-bell.ts'

/** `masked` privacy mode: money is hidden, percentages stay. `group` whose heading stands above; `today` when each shows its own last day. */
export type StrategiesProps = {
  items: readonly Strategy[]
  bell: ReturnType<typeof useBell>
  masked: boolean
  group?: string
  today?: string
}

export function StrategyCards({ items, bell, masked, group, today }: StrategiesProps) {
  const { open } = useGo()
  const now = new Date()
  return (
    <div className="grid3">
      {group === undefined && <h2 className="vh">策略</h2>}
      {items.map((strategy) => {
        const { net, rate, win_rate, profit_factor, drawdown, seal, held, average, last } = shownOf(
          strategy,
          now,
        )
        const href = `/strategies/${strategy.id}`
        return (
          <StrategyCard
            key={strategy.id}
            name={strategy.name}
            meta={strategyLine(strategy)}
            href={href}
            onOpen={() => open(href)}
            points={strategy.curve}
            pnl={net}
            rate={rate}
            figures={[
              { label: '勝率', value: win_rate },
              { label: '獲利因子', value: profit_factor },
              { label: '最大回撤', value: drawdown },
            ]}
            seal={seal}
            held={held}
            average={average}
            last={last ?? '還沒有訊號'}
            tag={
              <>
                <StrategyMark strategy={strategy} />
                <UntilMark strategy={strategy} today={today} />
              </>
            }
            menu={<StrategyMenu strategy={strategy} />}
            bell={{ on: bell.on(strategy), onClick: () => bell.turn(strategy) }}
            paused={strategy.status !== 'active'}
            masked={masked}
            {...(strategy.positions.length > 1 ? { position: <b className="num">{held}</b> } : {})}
          />
        )
      })}
    </div>
  )
}
