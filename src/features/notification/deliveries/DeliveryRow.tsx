/* One delivery of a notification: over which channel, how it stands, why it did not arrive and what to do. */
import { useMutation } from '@tanstack/react-query'
import type { NotificationDelivery } from '#contract/notification.ts'
import { notificationMutations } from '#data/nouns/notification.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { useOnline } from '#screen/use-online.ts'
import { whyText } from '#text/delivery.ts'
import { CHANNEL_WORDS, DELIVERY_STATE_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './DeliveryRow.module.css'
import { canResend, DELIVERY_LOOK, progressText } from './look.ts'

export function DeliveryRow({ delivery }: { delivery: NotificationDelivery }) {
  const { id, title, channel, device_label, state } = delivery
  const again = useMutation({
    ...notificationMutations.resend(),
    onSuccess: () => toast({ title: '已重新排入發送', icon: 'check' }),
    onError: (error) =>
      toast({ title: '沒有重送', description: failureSentence(error), variant: 'destructive' }),
  })
  const online = useOnline()
  const progress = progressText(delivery)
  const why = whyText(delivery)
  return (
    <li className={css.root}>
      <div className={css.words}>
        <span className={css.to}>
          <span className={css.channel}>
            {CHANNEL_WORDS[channel]}
            {device_label && <small>（{device_label}）</small>}
          </span>
          <span className={css.state}>
            <Tag {...DELIVERY_LOOK[state]}>{DELIVERY_STATE_WORDS[state]}</Tag>
          </span>
          {progress && <small className="num">{progress}</small>}
        </span>
        {why && <small className={css.why}>{why}</small>}
      </div>
      {canResend(delivery) && (
        <Button
          size="s"
          icon="refresh"
          busy={again.isPending}
          disabled={!online}
          label={`${online ? '重送' : '連線後可以重送'}：${title}，${CHANNEL_WORDS[channel]}`}
          onClick={() => again.mutate(id)}
        >
          重送
        </Button>
      )}
    </li>
  )
}
