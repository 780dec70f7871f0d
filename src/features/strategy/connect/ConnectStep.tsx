/* After creating: address, message, and the first signal arriving. Two minutes, on one page. */
import { useQuery } from '@tanstack/react-query'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useRecords } from '#screen/records.ts'
import { useTitle } from '#screen/title.ts'
import { strategyLine } from '#text/strategy.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Sides } from '#ui/Sides.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { BridgeCard } from './BridgeCard.tsx'
import { FileCard } from './FileCard.tsx'
import { MessageCard } from './MessageCard.tsx'
import { SENDERS } from './senders.ts'
import { UrlCard } from './UrlCard.tsx'
import { WaitCard } from './WaitCard.tsx'

export function ConnectStep({ strategy_id }: { strategy_id: string }) {
  const ctx = useCtx()
  const { go, open } = useGo()
  const strategy = useQuery(strategyQueries.one(ctx, strategy_id))
  const webhooks = useQuery(webhookQueries.ofStrategy(ctx, strategy_id))
  const arrived = useRecords(strategy_id).items.length > 0
  useTitle(strategy.data && `接上 ${strategy.data.name}`)
  const home = `/strategies/${strategy_id}`
  const webhook = webhooks.data?.find(({ enabled, url }) => enabled && url !== null)
  const failed = strategy.error ?? webhooks.error

  if (!strategy.data || !webhooks.data)
    return (
      <div className="page">
        {failed ? (
          <>
            <PageHead title="接上訊號來源" back={{ href: home, label: '策略', onOpen: () => open(home) }} />
            <ReadFailure
              card
              error={failed}
              what="這個策略"
              back={{ href: '/strategies', label: '策略列表' }}
              busy={strategy.isFetching || webhooks.isFetching}
              onRetry={() => void Promise.all([strategy.refetch(), webhooks.refetch()])}
            >
              {failureSentence(failed, '策略已建立，')}
            </ReadFailure>
          </>
        ) : (
          <Skeleton type="detail" title="接上訊號來源" />
        )}
      </div>
    )
  const { settings } = strategy.data
  const source = 'data_source' in settings ? settings.data_source : 'webhook'
  return (
    <div className="page">
      <PageHead
        title="接上訊號來源"
        tags={
          <Tag tone="good" icon="check">
            策略已建立
          </Tag>
        }
        meta={
          <>
            {strategy.data.name} · {strategyLine(strategy.data)}
          </>
        }
        back={{ href: home, label: strategy.data.name, onOpen: () => open(home) }}
      />
      {source === 'csv' ? (
        <FileCard strategy={strategy.data} arrived={arrived} alone />
      ) : webhook?.url ? (
        <Sides columns="minmax(0, 1fr) 420px">
          <div className="stack">
            <UrlCard url={webhook.url} kind={strategy.data.kind} main={!arrived} />
            <MessageCard url={webhook.url} strategy={strategy.data} />
            {SENDERS[strategy.data.kind].bridge && <BridgeCard webhook={webhook} step="3" />}
            {source === 'both' && <FileCard strategy={strategy.data} arrived={arrived} />}
          </div>
          <WaitCard strategy={strategy.data} webhook_id={webhook.id} />
        </Sides>
      ) : (
        <EmptyState
          card
          title="沒有啟用中的 Webhook"
          action={<Button {...go(`${home}?tab=settings`)}>到設定新增</Button>}
        >
          Webhook 停用或刪除了，策略收不到訊號。
        </EmptyState>
      )}
    </div>
  )
}
