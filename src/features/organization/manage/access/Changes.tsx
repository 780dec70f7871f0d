/* The changes that made it so, newest first, by day: what, whose days, who made it. */
import type { AccessChange } from '#contract/access.ts'
import { serverNow } from '#text/now.ts'
import { dayTitle, hms, taipei } from '#text/time.ts'
import { Icon } from '#ui/Icon.tsx'
import { DayHeader } from '#ui/nouns/DayHeader.tsx'
import { usePeople } from '../../parts/people.ts'
import css from './Changes.module.css'
import { actorWords, CHANGE_ICONS, changeWords, daysWords, isBeginning } from './change-words.ts'

/** `at` the moment asked for, `since` when the log begins. */
export type ChangesProps = { items: readonly AccessChange[]; at: string; since: string | null }

export function Changes({ items, at, since }: ChangesProps) {
  return [...Map.groupBy(items, (one) => taipei(one.at).day)].map(([day, own]) => (
    <section key={day}>
      <DayHeader title={dayTitle(day, serverNow())} level={3} />
      <ul className={`card flush ${css.rows}`}>
        {own.map((change) => (
          <Change key={change.id} change={change} at={at} since={since} />
        ))}
      </ul>
    </section>
  ))
}

function Change({ change, at, since }: { change: AccessChange; at: string; since: string | null }) {
  const { cover } = usePeople()
  const days = daysWords(change, at)
  return (
    <li className={css.row}>
      <time className="num t13 ink3" dateTime={change.at}>
        {hms(change.at)}
      </time>
      <span className={css[change.kind]}>
        <Icon name={CHANGE_ICONS[change.kind]} size={16} />
      </span>
      <span className={css.words}>
        <span>{changeWords(change, cover, since)}</span>
        {days && <small className="num">{days}</small>}
      </span>
      <span className={`${css.by} el t13 ink3`}>
        {isBeginning(change, since) ? '開始記錄時' : actorWords(change, cover)}
      </span>
    </li>
  )
}
