/* The one tag a strategy may carry: what is wrong, that its figures are being worked out, or that it rests. */
import type { Strategy } from '#contract/strategy.ts'
import { STATUS_TEXT, warningText } from '#text/strategy.ts'
import { Tag } from '#ui/Tag.tsx'

export function StrategyMark({ strategy }: { strategy: Strategy }) {
  const warning = strategy.status === 'archived' ? null : warningText(strategy)
  if (warning)
    return (
      <Tag tone="warn" icon="warning">
        {warning}
      </Tag>
    )
  if (strategy.recalculating) return <Tag>績效重算中</Tag>
  return strategy.status === 'active' ? null : <Tag>{STATUS_TEXT[strategy.status]}</Tag>
}
