/* One signal: what, at what price first; when and whose second. Two lines (64 px) in narrow lists, one line in columns (44 px) from 720 px on. */

import type { ReactNode } from 'react'
import { cx, opens } from '../open.ts'
import { Delta, Seal, StateWord, type StateWordProps, sealTone } from './Delta.tsx'
import css from './SignalRow.module.css'

/** All texts are already formatted. `seal` 多空買賣; `solid` opens or adds (false: reduces or closes). `strategy` is left out inside one strategy. `pnl` realised, whole dollars. */
export type SignalRowProps = {
  seal: string
  solid: boolean
  action: string
  product: string
  quantity?: string | null
  unit?: string
  price: string | null
  time: string
  dateTime?: string
  strategy?: string | null
  states?: readonly StateWordProps[]
  before?: string | null
  after?: string | null
  pnl?: number | null
  voided?: boolean
  waiting?: boolean
  /** Just arrived: the soft highlight that fades in 1.2 s. */
  highlight?: boolean
  masked?: boolean
  href?: string
  onOpen?: () => void
  /** Without a price: gives one, in one tap from the list. */
  onFix?: () => void
  /** Third line, for a waiting signal past its time to live: a sentence and two buttons. */
  ask?: ReactNode
  as?: 'li' | 'div'
  /** Its height in a list of fixed places. */
  className?: string | undefined
}

export function SignalRow(props: SignalRowProps) {
  const {
    seal,
    solid,
    action,
    product,
    quantity,
    unit = '',
    price,
    time,
    dateTime,
    strategy,
    states = [],
    before,
    after,
  } = props
  const {
    pnl = null,
    voided = false,
    waiting = false,
    highlight = false,
    masked = false,
    href,
    onOpen,
    onFix,
    ask,
    as: Box = 'li',
  } = props
  const name = cx(
    css.root,
    css[sealTone(seal)],
    !solid && css.hollow,
    voided && css.voided,
    waiting && css.waiting,
    highlight && css.fresh,
    (href !== undefined || onOpen) && css.can,
    ask !== undefined && ask !== null && css.asks,
    props.className,
  )
  // as a label: words of their own would be laid out with every row
  const spoken = `${time} ${seal}${action} ${product} ${quantity ? `${quantity} ${unit}` : ''} ${price ?? '價格待補'} ${strategy ?? ''} ${states.map((state) => state.text).join(' ')}`
  return (
    <Box className={name}>
      {highlight && <span className={css.arrived} data-fresh="" />}
      {href !== undefined ? (
        // biome-ignore lint/a11y/useAnchorContent: its label is its content
        <a className={css.open} href={href} onClick={opens(onOpen)} aria-label={spoken} />
      ) : (
        onOpen && <button type="button" className={css.open} onClick={onOpen} aria-label={spoken} />
      )}
      <div className={cx(css.line, css.first)}>
        <span className={css.act}>
          <Seal glyph={seal} hollow={!solid} voided={voided} />
          <span>{action}</span>
        </span>
        <span className={css.what}>
          <span className={css.product}>{product}</span>
          {quantity && (
            <span className={cx(css.quantity, 'num')}>
              {quantity} {unit}
            </span>
          )}
        </span>
        <div className={cx(css.price, 'num')}>
          {price === null && onFix ? <FixKey onClick={onFix} /> : (price ?? '—')}
        </div>
      </div>
      <div className={cx(css.line, css.second)}>
        <time className="num" dateTime={dateTime}>
          {time}
        </time>
        {strategy && <span className={css.name}>{strategy}</span>}
        {states.length > 0 && <StateWords states={states} className={css.states} />}
        {pnl !== null && (
          <span className={css.pnl}>
            <Delta value={pnl} masked={masked} />
          </span>
        )}
        {after !== undefined && after !== null && (
          <span className={cx(css.move, 'num')}>
            {before ?? '0'} → <b>{after}</b>
          </span>
        )}
      </div>
      {ask && <AskLine>{ask}</AskLine>}
    </Box>
  )
}

/* The third line of a row: a sentence and its keys, over the area that opens the row. */

export function AskLine({ children }: { children: ReactNode }) {
  return <div className={css.AskLine}>{children}</div>
}

/* The key in a row without a price that gives it one: small to the eye, as high as the row to the finger. */

export function FixKey({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={css.FixKey} onClick={onClick}>
      補價
    </button>
  )
}

/* The state words of a signal row. */

/** The first matters most: the last goes first where there is no room. */
export type StateWordsProps = { states: readonly StateWordProps[]; className?: string | undefined }

export function StateWords({ states, className }: StateWordsProps) {
  return (
    <span className={cx(css.StateWords, className)}>
      {states.map((state) => (
        <StateWord key={state.text} {...state} />
      ))}
    </span>
  )
}

/* The list around signal rows; its width, not the window's, decides between two lines and one line in columns. */

/** Children are SignalRows. `framed` at the foot of a Card; `pinned` stands above the list (what waits to be sent). */
export type SignalListProps = {
  children: ReactNode
  label?: string
  framed?: boolean
  pinned?: boolean
  className?: string | undefined
}

export function SignalList(props: SignalListProps) {
  const { children, label, framed = false, pinned = false, className } = props
  return (
    <ul
      className={cx(
        css.SignalList,
        framed && css.SignalListFramed,
        pinned && css.SignalListPinned,
        className,
      )}
      aria-label={label}
    >
      {children}
    </ul>
  )
}
