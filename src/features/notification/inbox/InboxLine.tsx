/* A line of the inbox: its sign, what is told, when, and the key that marks it as read. */
import type { ReactNode } from 'react'
import { full, hm } from '#text/time.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { cx, opens } from '#ui/open.ts'
import { UnreadDot } from '#ui/UnreadDot.tsx'
import css from './InboxLine.module.css'

/** `href` where a press leads; without it the line opens in its place, and `expanded` says whether it has. `children`: a title (`b`) over small lines. */
export type InboxLineProps = {
  sign: ReactNode
  at: string
  unread: boolean
  href?: string
  expanded?: boolean
  onOpen: () => void
  read: { label: string; onRead: () => void }
  children: ReactNode
}

export function InboxLine({ sign, at, unread, href, expanded, onOpen, read, children }: InboxLineProps) {
  const inside = (
    <>
      {sign}
      <span className={css.words}>{children}</span>
      <time className="num" dateTime={at} title={full(at)}>
        {hm(at)}
      </time>
    </>
  )
  return (
    <div className={cx(css.root, unread && css.unread)}>
      {unread && <UnreadDot />}
      {href === undefined ? (
        <button type="button" className={css.main} aria-expanded={expanded} onClick={onOpen}>
          {inside}
        </button>
      ) : (
        <a className={css.main} href={href} onClick={opens(onOpen)}>
          {inside}
        </a>
      )}
      <span className={css.key}>
        {unread && <IconButton icon="check" label={read.label} onClick={read.onRead} />}
      </span>
    </div>
  )
}
