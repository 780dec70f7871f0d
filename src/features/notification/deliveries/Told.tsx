/* One notification with its deliveries under it: what did not arrive in full, what arrived in one line that opens. */
import { useId, useState } from 'react'
import { CHANNELS } from '#contract/channels.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import { CHANNEL_WORDS, DELIVERY_STATE_WORDS } from '#text/notification.ts'
import { full, hm } from '#text/time.ts'
import { Icon } from '#ui/Icon.tsx'
import { Tag } from '#ui/Tag.tsx'
import { DeliveryRow } from './DeliveryRow.tsx'
import { DELIVERY_LOOK } from './look.ts'
import css from './Told.module.css'

/** `deliveries` of one notification, at least one. `whole`: each is asked for, none is put together. */
export function Told({
  deliveries,
  whole = false,
}: {
  deliveries: readonly NotificationDelivery[]
  whole?: boolean
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const [first] = deliveries
  if (!first) return null
  const arrived = deliveries.filter(({ state }) => state === 'confirmed')
  const folds = !whole && arrived.length > 1
  const rows = folds ? deliveries.filter((one) => !arrived.includes(one)) : deliveries
  return (
    <li className={css.root}>
      <p className={css.head}>
        <b className="sp">{first.title}</b>
        <time className="num" dateTime={first.created_at} title={full(first.created_at)}>
          {hm(first.created_at)}
        </time>
      </p>
      {rows.length > 0 && (
        <ul>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {folds && (
        <button
          type="button"
          className={css.arrived}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Tag {...DELIVERY_LOOK.confirmed}>{DELIVERY_STATE_WORDS.confirmed}</Tag>
          <span className="sp">
            {CHANNELS.flatMap((channel) => {
              const times = arrived.filter((one) => one.channel === channel).length
              return times > 1
                ? `${CHANNEL_WORDS[channel]} ${times}`
                : times > 0
                  ? CHANNEL_WORDS[channel]
                  : []
            }).join('、')}
          </span>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} size={16} className="ink3" />
        </button>
      )}
      {folds && (
        <ul id={id} hidden={!open}>
          {open && arrived.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />)}
        </ul>
      )}
    </li>
  )
}
