/* One signal: what, at what price first; when and whose second. Two lines (64 px) in narrow lists, one line in columns (44 px) from 720 px on. */
import type { ReactNode } from 'react'
import { cx, opens } from '../open.ts'
import { AskLine } from './AskLine.tsx'
import { Delta } from './Delta.tsx'
import { FixKey } from './FixKey.tsx'
import { Seal, sealTone } from './Seal.tsx'
import css from './SignalRow.module.css'
import type { StateWordProps } from './StateWord.tsx'
import { StateWords } from './StateWords.tsx'

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
    <Box className={name} data-fresh={highlight || undefined}>
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
