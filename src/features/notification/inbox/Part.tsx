/* One part of the inbox, by day: single notifications, and many of one strategy as a line that opens. */
import type { SignalNotification } from '#contract/notification.ts'
import { serverNow } from '#text/now.ts'
import { dayTitle } from '#text/time.ts'
import { DayHeader } from '#ui/nouns/DayHeader.tsx'
import { byDay } from './arrange.ts'
import { Digest } from './Digest.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import css from './Part.module.css'

/** `titled` shows the label over it; what is newer than `since`, a number of the inbox, came while one looked on; of the day `unfinished` more is on the server, so no number of it is said. */
export type PartProps = {
  label: string
  titled?: boolean
  items: readonly SignalNotification[]
  since: number | null
  unfinished: string | null
  onRead: (ids: string[]) => void
}

export function Part({ label, titled = false, items, since, unfinished, onRead }: PartProps) {
  return (
    <section aria-label={label}>
      {titled && <p className={css.title}>{label}</p>}
      {byDay(items).map(({ day, count, lines }) => (
        <div key={day}>
          <DayHeader title={dayTitle(day, serverNow())} {...(day !== unfinished && { count })} unit="則" />
          <ul className={`card flush ${css.rows}`}>
            {lines.map((line) =>
              line.kind === 'one' ? (
                <NotificationRow
                  key={line.key}
                  item={line.item}
                  fresh={since !== null && line.item.seq > since}
                  onRead={onRead}
                />
              ) : (
                <Digest key={line.key} items={line.items} onRead={onRead} />
              ),
            )}
          </ul>
        </div>
      ))}
    </section>
  )
}
