/* The signals of one strategy, for its page: the strategy's name is left out of the rows. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { useMay } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { SignalBoard } from './SignalBoard.tsx'
import { SignalDrawer } from './SignalDrawer.tsx'

export function SignalList({ strategy_id }: { strategy_id: string }) {
  const { go } = useGo()
  const ctx = useCtx()
  const may_edit = useMay('strategy:edit')
  const { data: webhooks } = useQuery({
    ...webhookQueries.ofStrategy(ctx, strategy_id),
    enabled: may_edit,
  })
  // one webhook is no choice
  const choice = useMemo(
    () => (webhooks && webhooks.length > 1 ? new Map(webhooks.map(({ id, name }) => [id, name])) : undefined),
    [webhooks],
  )
  return (
    <SignalBoard
      Drawer={SignalDrawer}
      strategy_id={strategy_id}
      names={null}
      webhooks={choice}
      empty={
        may_edit ? (
          <EmptyState
            card
            title="還沒有訊號"
            action={
              <Button kind="filled" {...go(`/strategies/${strategy_id}?tab=settings`)}>
                看 Webhook 網址
              </Button>
            }
          >
            把網址與訊息範本貼到訊號來源，來源送出第一筆，就會出現在這裡。
          </EmptyState>
        ) : (
          <EmptyState card title="還沒有訊號">
            策略送出新的訊號，就會出現在這裡。
          </EmptyState>
        )
      }
    />
  )
}
