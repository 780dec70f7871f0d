/* One notification with all its deliveries under it: said once, however many channels it went over. */
import type { NotificationDelivery } from '#contract/notification-shape.ts'
import { full, hm } from '#text/time.ts'
import { DeliveryRow } from './DeliveryRow.tsx'
import css from './Told.module.css'

/** `deliveries` of one notification, at least one. */
export function Told({ deliveries }: { deliveries: readonly NotificationDelivery[] }) {
  const [first] = deliveries
  if (!first) return null
  return (
    <li className={css.root}>
      <p className={css.head}>
        <b className="sp">{first.title}</b>
        <time className="num" dateTime={first.created_at} title={full(first.created_at)}>
          {hm(first.created_at)}
        </time>
      </p>
      <ul>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </li>
  )
}
