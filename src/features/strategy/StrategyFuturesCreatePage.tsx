/* /strategies/create/futures: the form, then (?connect=) the webhook to connect: the same page, so that reloading keeps the place. */
import { useSearch } from '@tanstack/react-router'
import { ConnectStep } from './connect/ConnectStep.tsx'
import { NewFutures } from './form/NewFutures.tsx'
import './create.css'

export function StrategyFuturesCreatePage() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const created = search['connect']
  return typeof created === 'string' ? <ConnectStep strategy_id={created} /> : <NewFutures />
}
