/* 線上 / 離線 / 重新連線中, with the age of the data and what waits to be sent. */

import { cx, opens } from './open.ts'
import css from './states.module.css'

/** `updated` HH:mm of the last answer, shown while not online; `waiting` items of the outbox, `asks` when one wants a decision; `href`/`onOpen` lead to it. `plain` without the frame (即時). */
export type ConnectionBadgeProps = {
  state: 'online' | 'offline' | 'reconnecting'
  updated?: string | null
  waiting?: number
  asks?: boolean
  href?: string
  onOpen?: () => void
  word?: string
  plain?: boolean
  /** Leaves the age out where room is short. */
  short?: boolean
  /** Keeps the room of the longest `state`, or all the `rest` of its line, its end at the right: what stands beside it does not move when the state changes. */
  room?: 'state' | 'rest'
  /** Nothing but its room. */
  hidden?: boolean
}

const WORDS = { online: '線上', offline: '離線', reconnecting: '重新連線中' }

export function ConnectionBadge({
  state,
  updated,
  waiting = 0,
  asks = false,
  href,
  onOpen,
  word,
  plain,
  short,
  room,
  hidden,
}: ConnectionBadgeProps) {
  if (hidden) return <span className={css.ConnectionBadgeRoom} />
  const inside = (
    <>
      <i className={css.ConnectionBadgeDot} />
      <span>
        {word ?? WORDS[state]}
        {state === 'offline' && updated && !short && (
          <>
            {' · 資料更新於 '}
            <span className="num">{updated}</span>
          </>
        )}
      </span>
      {waiting > 0 && (
        <>
          <hr />
          <b className={cx('num', asks && css.ConnectionBadgeAsks)}>
            {waiting} 筆{asks ? '待處理' : '待送'}
          </b>
        </>
      )}
    </>
  )
  const name = cx(
    css.ConnectionBadge,
    state !== 'online' && css.ConnectionBadgeOff,
    plain && css.ConnectionBadgePlain,
  )
  return (
    <span
      role="status"
      className={cx(room && css.ConnectionBadgeRoom, room === 'rest' && css.ConnectionBadgeRest)}
    >
      {href === undefined ? (
        // drawn anew in every state, and when its age is learned: it ends at the right and would slide
        <span className={name} key={`${state}${updated ? ' aged' : ''}`}>
          {inside}
        </span>
      ) : (
        <a className={name} href={href} onClick={opens(onOpen)}>
          {inside}
        </a>
      )}
    </span>
  )
}
