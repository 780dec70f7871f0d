/* 設定: the webhooks of the strategy; for one of them its address, messages, mapping, rules and everything that reached it. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { WEBHOOKS_PER_STRATEGY } from '#contract/limits.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type GivenMessage, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FailState } from '#ui/FailState.tsx'
import { Sides } from '#ui/Sides.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { BridgeCard } from '../connect/BridgeCard.tsx'
import { SENDERS } from '../connect/senders.ts'
import css from './SettingsTab.module.css'
import { AddDialog } from './webhook/AddDialog.tsx'
import { AddressCard } from './webhook/AddressCard.tsx'
import { DeliveriesCard } from './webhook/DeliveriesCard.tsx'
import { useAsked } from './webhook/log.ts'
import { MappingCard } from './webhook/MappingCard.tsx'
import { MapKey } from './webhook/mapping/MapKey.tsx'
import { RulesCard } from './webhook/RulesCard.tsx'
import { TemplatesCard } from './webhook/TemplatesCard.tsx'
import { TestCard } from './webhook/TestCard.tsx'

const MappingSheet = lazy(() =>
  import('./webhook/mapping/MappingSheet.tsx').then(({ MappingSheet }) => ({ default: MappingSheet })),
)

const ReplaySheet = lazy(() =>
  import('./webhook/replay/ReplaySheet.tsx').then(({ ReplaySheet }) => ({ default: ReplaySheet })),
)

/** Senders that write files, whatever the strategy trades. */
const BRIDGED: ReadonlySet<string> = new Set(['xq', 'multicharts'])

export function SettingsTab({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const { data, error, isFetching, refetch } = useQuery(webhookQueries.ofStrategy(ctx, strategy.id))
  const asked = useAsked()
  const [picked, setPicked] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  /** The message that a mapping is made of; null is still to be pasted. */
  const [mapped, setMapped] = useState<GivenMessage | null | undefined>()
  /** What a saved mapping reads otherwise, to be read again. */
  const [replayed, setReplayed] = useState<string[] | null>(null)
  if (!data)
    return error ? (
      <FailState card title="讀不到 Webhook" onRetry={() => void refetch()} busy={isFetching}>
        {failureSentence(error, '設定都在伺服器上，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="Webhook 載入中" />
    )
  const meant = asked ? data.find(({ counts_24h }) => counts_24h.rejected > 0) : undefined
  const webhook = data.find(({ id }) => id === picked) ?? meant ?? data[0]
  const full = data.length >= WEBHOOKS_PER_STRATEGY
  return (
    <>
      {webhook ? (
        <>
          <div className={css.head}>
            <Chips
              label="Webhook"
              chips={data.map(({ id, name, enabled }) => ({
                value: id,
                label: enabled ? name : `${name}（停用）`,
                on: id === webhook.id,
              }))}
              onPick={setPicked}
            />
            <Button
              size="s"
              icon="plus"
              disabled={full}
              label={full ? `最多 ${WEBHOOKS_PER_STRATEGY} 個` : '新增 Webhook'}
              onClick={() => setAdding(true)}
            >
              新增
            </Button>
          </div>
          <Sides columns="minmax(0, 528fr) minmax(0, 652fr)" key={webhook.id}>
            <div className="stack">
              <AddressCard webhook={webhook} />
              <TemplatesCard webhook={webhook} strategy={strategy} />
              {(SENDERS[strategy.kind].bridge || BRIDGED.has(webhook.format)) && (
                <BridgeCard webhook={webhook} />
              )}
              <TestCard webhook={webhook} strategy={strategy} />
              <MappingCard webhook={webhook} onMap={setMapped} />
              <RulesCard webhook={webhook} />
            </div>
            <DeliveriesCard
              webhook={webhook}
              asked={asked && picked === null}
              onMap={setMapped}
              extra={(delivery) => <MapKey delivery={delivery} onMap={setMapped} />}
            />
          </Sides>
          {mapped !== undefined && (
            <Suspense>
              <MappingSheet
                webhook={webhook}
                message={mapped}
                onClose={() => setMapped(undefined)}
                onReplay={(delivery_ids) => {
                  setMapped(undefined)
                  setReplayed(delivery_ids)
                }}
              />
            </Suspense>
          )}
          {replayed && (
            <Suspense>
              <ReplaySheet
                webhook={webhook}
                pick={{ delivery_ids: replayed }}
                onClose={() => setReplayed(null)}
              />
            </Suspense>
          )}
        </>
      ) : (
        <EmptyState
          card
          title="還沒有 Webhook"
          action={
            <Button kind="filled" icon="plus" onClick={() => setAdding(true)}>
              新增 Webhook
            </Button>
          }
        >
          新增一個，把網址貼到訊號來源，訊號就會進來。
        </EmptyState>
      )}
      {adding && (
        <AddDialog
          strategy_id={strategy.id}
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setPicked(id)
            setAdding(false)
          }}
        />
      )}
    </>
  )
}
