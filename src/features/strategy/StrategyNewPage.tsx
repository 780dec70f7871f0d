/* /strategies/create/{futures,stock,xq-stock}: the form, then (?connect=) the webhook to connect: the same page, so that reloading keeps the place. */
import { useSearch } from '@tanstack/react-router'
import type { StrategyKind } from '#trading/record.ts'
import { ConnectStep } from './connect/ConnectStep.tsx'
import { NewStrategy } from './form/NewStrategy.tsx'

export function StrategyNewPage({ kind }: { kind: StrategyKind }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const created = search['connect']
  return typeof created === 'string' ? (
    <ConnectStep strategy_id={created} from={search['from']} />
  ) : (
    <NewStrategy key={kind} kind={kind} />
  )
}
