/* 設定: for editors everything that sets the strategy, part by part; for members what is theirs, how they are told of it. */

import { useQueries, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { isInside } from '#contract/channels.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { WEBHOOKS_PER_STRATEGY } from '#contract/limits.ts'
import type { getLatency } from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { notificationQueries } from '#data/nouns/notification.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { joined, latency, number } from '#text/format.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { ASSET_FACTS, assetOf, KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides, Table } from '#ui/Card.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Chips } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { BridgeCard } from '../connect/BridgeCard.tsx'
import { senderOf } from '../connect/senders.ts'
import css from './SettingsTab.module.css'
import { DeliveriesCard } from './webhook/DeliveriesCard.tsx'
import { useAsked, useLog } from './webhook/log.ts'
import { RulesCard } from './webhook/RulesCard.tsx'
import { AddDialog, AddressCard, FormatsCard, TemplatesCard, TestCard } from './webhook/WebhookCards.tsx'

const FormatSheet = lazy(() =>
  import('./webhook/FormatSheet.tsx').then(({ FormatSheet }) => ({ default: FormatSheet })),
)

const RulesTab = lazy(() => import('./rules/RulesTab.tsx').then(({ RulesTab }) => ({ default: RulesTab })))
const OriginalTab = lazy(() =>
  import('../original/OriginalTab.tsx').then(({ OriginalTab }) => ({ default: OriginalTab })),
)
// the reader of Markdown is only for who opens a note
const NoteTab = lazy(() => import('./NoteTab.tsx').then(({ NoteTab }) => ({ default: NoteTab })))
const StrategyNotify = lazy(() =>
  import('#screen/StrategyNotify.tsx').then((it) => ({ default: it.StrategyNotify })),
)

/** Senders that write files, whatever the strategy trades. */
const BRIDGED: ReadonlySet<string> = new Set(['xq', 'multicharts'])

type Part = 'source' | 'rules' | 'original' | 'about'

/** `part` of the address. */
export function SettingsTab({ strategy, part }: { strategy: Strategy; part: string | null }) {
  const { open } = useGo()
  if (!strategy.can.includes('edit')) return <Own strategy={strategy} />
  const { rules } = ASSET_FACTS[assetOf(strategy)]
  const parts: readonly { value: Part; label: string }[] = [
    { value: 'source', label: '訊號來源' },
    ...(rules === null ? [] : [{ value: 'rules' as const, label: rules }]),
    ...(KINDS[strategy.kind].files ? [{ value: 'original' as const, label: '原始資料' }] : []),
    { value: 'about', label: '說明與參數' },
  ]
  const at = parts.find(({ value }) => value === part)?.value ?? (byFiles(strategy) ? 'original' : 'source')
  return (
    <>
      <Chips
        label="設定的部分"
        chips={parts.map((one) => ({ ...one, on: one.value === at }))}
        onPick={(value) => open(`/strategies/${strategy.id}?tab=settings&part=${value}`, true)}
      />
      <div className={css.part}>
        {at === 'source' && (
          <div className="stack">
            <div>
              <Webhooks strategy={strategy} />
            </div>
            <LatencyCard id={strategy.id} />
          </div>
        )}
        {at === 'rules' && (
          <Suspense fallback={<Skeleton type="list" label="訊號設定載入中" />}>
            <RulesTab strategy={strategy} />
          </Suspense>
        )}
        {at === 'original' && (
          <Suspense fallback={<Skeleton type="list" label="原始資料載入中" />}>
            <OriginalTab strategy={strategy} />
          </Suspense>
        )}
        {at === 'about' && (
          <Suspense fallback={<Skeleton type="detail" label="說明載入中" />}>
            <NoteTab strategy={strategy} />
          </Suspense>
        )}
      </div>
    </>
  )
}

/** Its signals come as files and no other way. */
function byFiles({ kind, settings }: Strategy): boolean {
  return KINDS[kind].files && 'data_source' in settings && settings.data_source === 'csv'
}

/** A member's: whether the phone rings, and their own rules. */
function Own({ strategy }: { strategy: Strategy }) {
  return (
    <div className="stack">
      {!getData().viewed && (
        <Card title="這個策略的通知" pad>
          <Suspense fallback={null}>
            <StrategyNotify strategy={strategy} />
          </Suspense>
        </Card>
      )}
      {ASSET_FACTS[assetOf(strategy)].rules !== null && (
        <Suspense fallback={<Skeleton type="list" label="訊號設定載入中" />}>
          <RulesTab strategy={strategy} />
        </Suspense>
      )}
      <LatencyCard id={strategy.id} />
    </div>
  )
}

/** For one of the webhooks its address, messages, formats, rules and everything that reached it. */
function Webhooks({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const { data, error, isFetching, refetch } = useQuery(webhookQueries.ofStrategy(ctx, strategy.id))
  const asked = useAsked()
  const [picked, setPicked] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const log = useLog()
  const { open } = useGo()
  /** The format that was opened here; any other one a link or a notification led to. */
  const [own, setOwn] = useState<string | null>(null)
  const formats = useQueries({
    queries: (data ?? []).map(({ id }) => ({
      ...webhookQueries.formats(ctx, id),
      enabled: log.format !== null,
    })),
  })
  const showFormat = (format: string) => {
    setOwn(format)
    log.go({ format })
  }
  if (!data)
    return error ? (
      <FailState card title="讀不到 Webhook" onRetry={() => void refetch()} busy={isFetching}>
        {failureSentence(error, '設定都在伺服器上，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="Webhook 載入中" />
    )
  // A link names a format, not whose it is.
  const of = data[formats.findIndex((one) => one.data?.items.some(({ id }) => id === log.format))]
  if (of && of.id !== picked) setPicked(of.id)
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
              <AddressCard webhook={webhook} onAsked={showFormat} />
              <TemplatesCard webhook={webhook} strategy={strategy} />
              {(senderOf(strategy.kind).bridge || BRIDGED.has(webhook.format)) && (
                <BridgeCard webhook={webhook} />
              )}
              <TestCard webhook={webhook} strategy={strategy} />
              <FormatsCard
                webhook={webhook}
                asset={assetOf(strategy)}
                href={(id) => `/strategies/${strategy.id}?tab=settings&format=${id}`}
                onOpen={showFormat}
              />
              <RulesCard webhook={webhook} />
            </div>
            <DeliveriesCard webhook={webhook} asked={asked && picked === null} onFormat={showFormat} />
          </Sides>
          {log.format !== null && (
            <Suspense>
              <FormatSheet
                key={log.format}
                strategy={strategy}
                webhook={webhook}
                format_id={log.format}
                onClose={() => log.go({ format: null })}
                onDone={(signal_ids) => {
                  // Who came from a notification wants the signal, not the settings.
                  if (own !== log.format && signal_ids.length > 0)
                    open(`/strategies/${strategy.id}?tab=signals`, true)
                }}
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

/* 訊號多快到: how long each step took, source to server to each channel, the usual and the slow ones. */

type Times = OutputOf<typeof getLatency>
type Line = { key: string; step: string } & NonNullable<Times['received_to_stored']>

/** The steps that have been measured, in their order. */
function latencyLines({ fired_to_received, received_to_stored, channels }: Times): Line[] {
  const lines: [string, Times['received_to_stored']][] = [
    ['來源觸發 → 伺服器收到', fired_to_received],
    ['收到 → 存好', received_to_stored],
    ...channels.flatMap((one): [string, Times['received_to_stored']][] => {
      const name = CHANNEL_WORDS[one.channel]
      // the open app has it from the stream, whatever the inbox takes
      if (isInside(one.channel))
        return [
          ['存好 → 放進站內通知', one.stored_to_handed],
          ['存好 → 站內畫面顯示', one.handed_to_shown],
          ['存好 → 在站內打開', one.handed_to_opened],
        ]
      return [
        [joined('存好 → 交給', name), one.stored_to_handed],
        [`${name} → 裝置顯示`, one.handed_to_shown],
        [`${name} → 打開`, one.handed_to_opened],
      ]
    }),
  ]
  return lines.flatMap(([step, measured]) =>
    measured && measured.count > 0 ? [{ key: step, step, ...measured }] : [],
  )
}

const TITLE = '訊號多快到'

/** Nothing until something was measured, or could not be read. */
export function LatencyCard({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useQuery(notificationQueries.latency(useCtx(), id))
  const lines = data ? latencyLines(data) : []
  if (!data && error)
    return (
      <Card title={TITLE} className={css.LatencyCard} flush>
        <FailState row title="讀不到每一步的時間" busy={isFetching} onRetry={() => void refetch()}>
          {failureSentence(error)}
        </FailState>
      </Card>
    )
  if (lines.length === 0) return null
  return (
    <Card title={TITLE} className={css.LatencyCard} flush>
      <Table aria-label="訊號每一步花的時間">
        <thead>
          <tr>
            <th scope="col">這一步</th>
            <th scope="col" className="n">
              中位數
            </th>
            <th scope="col" className="n">
              95 百分位
            </th>
            <th scope="col" className="n">
              筆數
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, step, p50, p95, count }) => (
            <tr key={key}>
              <td>{step}</td>
              <td className="n">{latency(p50)}</td>
              <td className="n">{latency(p95)}</td>
              <td className="n">{number(count)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
