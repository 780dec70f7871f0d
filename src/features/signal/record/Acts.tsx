/* What an editor can do with an opened signal: give, correct or confirm its price, void it. Pointers and voided ones have none of it. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { signalMutations } from '#data/nouns/signal.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'

const VoidDialog = lazy(() => import('./VoidDialog.tsx').then(({ VoidDialog }) => ({ default: VoidDialog })))
const CorrectDialog = lazy(() =>
  import('./CorrectDialog.tsx').then(({ CorrectDialog }) => ({ default: CorrectDialog })),
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
