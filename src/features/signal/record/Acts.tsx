/* What an editor can do with an opened signal: give or correct its price, void it. Pointers and voided ones have none of it. */
import { lazy, Suspense, useState } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { Button } from '#ui/Button.tsx'

const VoidDialog = lazy(() => import('./VoidDialog.tsx').then(({ VoidDialog }) => ({ default: VoidDialog })))
const CorrectDialog = lazy(() =>
  import('./CorrectDialog.tsx').then(({ CorrectDialog }) => ({ default: CorrectDialog })),
)

export function Acts({ record }: { record: SignalRecord }) {
  const [asking, setAsking] = useState<'void' | 'price' | null>(null)
  const close = () => setAsking(null)
  const pending = record.derived.status === 'pending_price'
  return (
    <>
      <Button icon="void" kind="soft" onClick={() => setAsking('void')}>
        作廢
      </Button>
      <Button icon="edit" kind={pending ? 'filled' : 'outline'} onClick={() => setAsking('price')}>
        {pending ? '補價' : '更正價格'}
      </Button>
      <Suspense fallback={null}>
        {asking === 'void' && <VoidDialog record={record} onClose={close} />}
        {asking === 'price' && <CorrectDialog record={record} onClose={close} />}
      </Suspense>
    </>
  )
}
