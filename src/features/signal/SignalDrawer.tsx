/* One record, opened: shown at once from what the device holds; the timeline and the raw message follow when the server answers. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { Fragment, lazy, Suspense, useEffect, useState } from 'react'
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal, SignalRecord } from '#contract/signal.ts'
import { opened, signalMutations, signalQueries } from '#data/nouns/signal.ts'
import { useDrawn } from '#screen/after-paint.ts'
import { useCtx, useData, useRecords } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useMay } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ChainBlock, CostBlock, FlagBlock, PointerBlock, RawBlock, TimelineBlock } from './record/Blocks.tsx'
import { Hero } from './record/Hero.tsx'
import { averageBefore, previousInChain } from './record/neighbours.ts'
import css from './SignalBoard.module.css'
import { placeWords, titleOf } from './words.ts'

const VerifySheet = lazy(() =>
  import('./verify/VerifySheet.tsx').then(({ VerifySheet }) => ({ default: VerifySheet })),
)

/** `names` of the strategies; null inside one strategy, where neither its name nor a link to it is due. */
export type SignalDrawerProps = {
  id: string
  names: ReadonlyMap<string, string> | null
  onClose: () => void
  /** Opens another record: the one that voided this, the one this is about. */
  onOpen: (id: string) => void
}

export function SignalDrawer({ id, names, onClose, onOpen }: SignalDrawerProps) {
  const ctx = useCtx()
  const { signals: store, viewed } = useData()
  useRecords()
  const { on: masked } = usePrivacy()
  const { go } = useGo()
  const detail = useQuery(signalQueries.one(ctx, id))
  const record: SignalRecord | undefined = store.get(id) ?? detail.data
  const name = record && names?.get(record.strategy_id)
  const here = record !== undefined
  useEffect(() => {
    // looked at as a member: the person has opened nothing
    if (here && !viewed) opened(id)
  }, [id, here, viewed])
  const may_edit = useMay('strategy:edit')
  const acts = may_edit && record?.refers_to === null && record.derived.status !== 'voided'
  const title = names ? titleOf(name) : '訊號紀錄'
  return (
    <Sheet
      open
      tall
      clamped
      onClose={onClose}
      title={title}
      // its room is there before it is known: the head stands still
      subtitle={<span role="status">{record ? placeWords(record) : '\u00a0'}</span>}
      foot={
        record &&
        (acts || names) && (
          <>
            {acts && <Acts key={id} record={record} />}
            {names && (
              <Button kind="soft" {...go(`/strategies/${record.strategy_id}`)}>
                看這個策略
              </Button>
            )}
          </>
        )
      }
    >
      {record ? (
        <Opened
          record={record}
          own={store.ofStrategy(record.strategy_id)}
          masked={masked}
          detail={detail.data ?? null}
          unread={detail.isError}
          onOpen={onOpen}
        />
      ) : detail.isError ? (
        <ReadFailure
          error={detail.error}
          what="這筆訊號"
          onRetry={() => void detail.refetch()}
          busy={detail.isFetching}
        >
          這支裝置上沒有這筆紀錄。{failureSentence(detail.error)}
        </ReadFailure>
      ) : (
        <Skeleton type="detail" label="訊號載入中" />
      )}
    </Sheet>
  )
}

type OpenedProps = {
  record: SignalRecord
  own: readonly SignalRecord[]
  masked: boolean
  detail: OutputOf<typeof getSignal> | null
  unread: boolean
  onOpen: (id: string) => void
}

function Opened({ record, own, masked, detail, unread, onOpen }: OpenedProps) {
  const [checking, setChecking] = useState(false)
  const drawn = useDrawn()
  const average = averageBefore(record, own)
  return (
    <div className={css.drawer}>
      <Hero record={record} average={average} masked={masked} />
      <PointerBlock record={record} own={own} onOpen={onOpen} />
      <CostBlock record={record} average={average} masked={masked} />
      {/* a frame later than what leads, and anew when the detail comes: what it pushes down does not slide before one's eyes */}
      {drawn && (
        <Fragment key={detail ? 'whole' : 'first'}>
          <TimelineBlock
            record={record}
            timeline={detail?.timeline ?? null}
            deliveries={detail?.deliveries_to_me ?? []}
            unread={unread}
          />
          <FlagBlock record={record} />
          <ChainBlock
            record={record}
            previous={previousInChain(record, own)}
            onVerify={() => setChecking(true)}
          />
        </Fragment>
      )}
      {drawn && detail?.delivery && <RawBlock delivery={detail.delivery} />}
      {checking && (
        <Suspense fallback={null}>
          <VerifySheet
            strategy_id={record.strategy_id}
            onClose={() => setChecking(false)}
            onOpen={(other) => {
              setChecking(false)
              if (other !== record.id) onOpen(other)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/* What an editor can do with an opened signal: give, correct or confirm its price, void it. Pointers and voided ones have none of it. */

const VoidDialog = lazy(() =>
  import('./record/CorrectDialog.tsx').then(({ VoidDialog }) => ({ default: VoidDialog })),
)
const CorrectDialog = lazy(() =>
  import('./record/CorrectDialog.tsx').then(({ CorrectDialog }) => ({ default: CorrectDialog })),
)

export function Acts({ record }: { record: SignalRecord }) {
  const [asking, setAsking] = useState<'void' | 'price' | null>(null)
  const close = () => setAsking(null)
  const pending = record.derived.status === 'pending_price'
  // A record that nobody doubts needs no word for it.
  const suspect = record.derived.status === 'price_suspect' ? record.price : null
  return (
    <>
      <Button icon="void" kind="soft" onClick={() => setAsking('void')}>
        作廢
      </Button>
      <Button icon="edit" kind={pending ? 'filled' : 'outline'} onClick={() => setAsking('price')}>
        {pending ? '補價' : '更正價格'}
      </Button>
      {suspect !== null && <Confirm id={record.id} price={suspect} />}
      <Suspense fallback={null}>
        {asking === 'void' && <VoidDialog record={record} onClose={close} />}
        {asking === 'price' && <CorrectDialog record={record} onClose={close} />}
      </Suspense>
    </>
  )
}

/** 確認價格: the same price given by a person, as a further record. */
function Confirm({ id, price }: { id: string; price: number }) {
  const save = useMutation({
    ...signalMutations.correct(useCtx()),
    onSuccess: ({ chain_seq }) =>
      toast({ title: `價格已確認，記為第 ${number(chain_seq)} 筆，損益已重算`, icon: 'check' }),
    onError: (error) =>
      toast({
        title: '價格沒有確認',
        description: failureSentence(error, '紀錄沒有變，'),
        variant: 'destructive',
      }),
  })
  return (
    <Button icon="check" kind="filled" busy={save.isPending} onClick={() => save.mutate({ id, price })}>
      確認價格
    </Button>
  )
}
