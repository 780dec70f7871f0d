/* A small filled label: a state in a table, a warning on a card, a group's name. */

import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { cx, opens } from './open.ts'
import css from './states.module.css'

/** Meaning of a label, never profit or loss. `info` waits for the person, `line` is only outlined. */
export type TagTone = 'neutral' | 'good' | 'warn' | 'danger' | 'info' | 'line'

/** An icon is due whenever the tone carries meaning. */
export type TagProps = {
  children: ReactNode
  tone?: TagTone
  icon?: IconName
  as?: 'span' | 'li'
  /** The key that takes it away. */
  end?: ReactNode
  /** A class of its words (num). */
  words?: string
  className?: string | undefined
}

export function Tag(props: TagProps) {
  const { children, tone = 'neutral', icon, as: Box = 'span', end, words, className } = props
  return (
    <Box className={cx(css.Tag, tone !== 'neutral' && css[`Tag-${tone}`], className)}>
      {icon && <Icon name={icon} size={14} />}
      <span className={cx('el', words)}>{children}</span>
      {end}
    </Box>
  )
}

/* A key of the keyboard, as it is named on it. */

export function Kbd({ children, className }: { children: string; className?: string | undefined }) {
  return <kbd className={cx(css.Tag, css.TagLine, className)}>{children}</kbd>
}

/* What is not read yet: a point at the row's edge beside the weight of its title, for colour is never the only sign. */

/** Stands in a row that is `position: relative`; `--unread-top` of that row says how far down. Screen readers hear 未讀 in the title. */
export function UnreadDot() {
  return <span className={css.UnreadDot} />
}

/* The sign before a step: its number, or a tick when it is done. */

export type StepMarkProps = { number: number; state: 'done' | 'next' | 'open' }

export function StepMark({ number, state }: StepMarkProps) {
  return (
    <span className={cx(css.StepMark, 'num', css[`StepMark-${state}`])}>
      {state === 'done' ? <Icon name="check" size={16} label="完成" /> : number}
    </span>
  )
}

/* A face or the first character of a name. */

/** `src` null or absent shows the character; `size` px (32). Decorative: the name stands beside it. */
export type AvatarProps = {
  name: string
  src?: string | null
  size?: number
  dim?: boolean
  className?: string | undefined
}

export function Avatar({ name, src, size = 32, dim = false, className }: AvatarProps) {
  const box = { width: size, height: size, fontSize: Math.round(size * 0.4) }
  if (src) return <img className={cx(css.Avatar, className)} src={src} alt="" style={box} loading="lazy" />
  return (
    <span className={cx(css.Avatar, dim && css.AvatarDim, className)} style={box} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  )
}

/* 線上 / 離線 / 重新連線中, with the age of the data and what waits to be sent. */

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
