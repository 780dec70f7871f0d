/* Which strategy a manual signal is for: those one may send to, with what each holds. */
import type { Strategy } from '#contract/strategy.ts'
import { positionWords } from '#text/signal.ts'
import { strategyLine } from '#text/strategy.ts'
import { assetOf } from '#trading/kinds.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import css from './ManualPick.module.css'

export type ManualPickProps = {
  strategies: readonly Strategy[]
  onPick: (id: string) => void
  onClose: () => void
}

export function ManualPick({ strategies, onPick, onClose }: ManualPickProps) {
  return (
    <Sheet open onClose={onClose} title="手動訊號" subtitle="選一個策略">
      {strategies.length === 0 ? (
        <EmptyState title="沒有可以送出訊號的策略">建立一個策略，或請組織管理者送出。</EmptyState>
      ) : (
        <ul className={css.root}>
          {strategies.map((strategy) => {
            const [first] = strategy.positions
            return (
              <li key={strategy.id}>
                <button type="button" onClick={() => onPick(strategy.id)}>
                  <span className="sp">
                    <b className="t16">{strategy.name}</b>
                    <span className="t13 ink3">{strategyLine(strategy)}</span>
                  </span>
                  <span className="num">{positionWords(first?.quantity ?? 0, assetOf(strategy)).word}</span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </Sheet>
  )
}
