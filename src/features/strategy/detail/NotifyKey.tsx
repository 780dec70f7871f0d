/* The bell: whether I am told of this strategy's signals; a press opens the choice, on the spot, for owners and members alike. */
import { lazy, Suspense, useState } from 'react'
import { ringingOf } from '#contract/channels.ts'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { useWaiting } from '#screen/outbox.ts'
import { RINGING_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Modal.tsx'

const StrategyNotify = lazy(() =>
  import('#screen/StrategyNotify.tsx').then((it) => ({ default: it.StrategyNotify })),
)

/** `strategy` has the waiting calls laid over it. */
export function NotifyKey({ strategy }: { strategy: Strategy }) {
  const { id, name, my_notify } = strategy
  const { go } = useGo()
  const waiting = useWaiting([updateStrategyNotify.name], id)
  const [open, setOpen] = useState(false)
  const stands = ringingOf(my_notify)
  return (
    <>
      <IconButton
        icon={stands === 'off' ? 'bell-off' : stands === 'quiet' ? 'bell-quiet' : 'bell'}
        label={`通知設定，現在${RINGING_WORDS[stands]}${waiting ? '，待送出' : ''}`}
        onClick={() => setOpen(true)}
      />
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="這個策略的通知"
        subtitle={name}
        foot={
          <>
            <Button {...go(`/signal-notification?tab=why&id=${id}`)}>為什麼沒收到</Button>
            <Button {...go('/signal-notification?tab=setting')}>全部通知設定</Button>
          </>
        }
      >
        {open && (
          <Suspense fallback={null}>
            <StrategyNotify strategy={strategy} />
          </Suspense>
        )}
      </Sheet>
    </>
  )
}
