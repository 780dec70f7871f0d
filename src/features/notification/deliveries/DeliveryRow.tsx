/* One delivery: what, over which channel, how it stands, and why it did not arrive. */
import { useMutation } from '@tanstack/react-query'
import type { NotificationDelivery } from '#contract/notification-shape.ts'
import { notificationMutations } from '#data/nouns/notification.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { CHANNEL_WORDS, DELIVERY_STATE_WORDS } from '#text/notification.ts'
import { full, hm } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './DeliveryRow.module.css'
import { canResend, DELIVERY_LOOK, wayText } from './look.ts'

export function DeliveryRow({ delivery }: { delivery: NotificationDelivery }) {
  const { id, title, channel, device_label, state, reason, created_at } = delivery
  const again = useMutation({
    ...notificationMutations.resend(),
    onSuccess: () => toast({ title: '已重新排入發送', icon: 'check' }),
    onError: (error) =>
      toast({ title: '沒有重送', description: failureSentence(error), variant: 'destructive' }),
  })
  const way = wayText(delivery)
  return (
    <li className={css.root}>
      <div className={css.words}>
        <b>{title}</b>
        <span className={css.to}>
          <span>
            {CHANNEL_WORDS[channel]}
            {device_label && `（${device_label}）`}
          </span>
          <Tag {...DELIVERY_LOOK[state]}>{DELIVERY_STATE_WORDS[state]}</Tag>
        </span>
        {reason && <small>{reason}</small>}
        {way && <small className="num">{way}</small>}
      </div>
      <div className={css.side}>
        <time className="num" dateTime={created_at} title={full(created_at)}>
          {hm(created_at)}
        </time>
        {canResend(delivery) && (
          <Button
            size="s"
            icon="refresh"
            busy={again.isPending}
            label={`重送：${title}，${CHANNEL_WORDS[channel]}`}
            onClick={() => again.mutate(id)}
          >
            重送
          </Button>
        )}
      </div>
    </li>
  )
}
