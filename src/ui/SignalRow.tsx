/* One signal: what, at what price first; when and whose second. Two lines (64 px) in narrow lists, one line in columns (44 px) from 720 px on. */
import type { ReactNode } from 'react'
import './signal.css'
import './signal-wide.css'
import { Delta } from './Delta.tsx'
import { cx, opens } from './open.ts'
import { Seal, sealTone } from './Seal.tsx'
import { StateWord, type StateWordProps } from './StateWord.tsx'

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
    'sig',
    sealTone(seal),
    !solid && 'close',
    voided && 'voided',
    waiting && 'wait',
    highlight && 'new',
    (href !== undefined || onOpen) && 'can',
    ask !== undefined && ask !== null && 'asks',
  )
  // as a label: words of their own would be laid out with every row
  const spoken = `${time} ${seal}${action} ${product} ${quantity ? `${quantity} ${unit}` : ''} ${price ?? '價格待補'} ${strategy ?? ''} ${states.map((state) => state.text).join(' ')}`
  return (
    <Box className={name}>
      {href !== undefined ? (
        // biome-ignore lint/a11y/useAnchorContent: its label is its content
        <a className="sig-open" href={href} onClick={opens(onOpen)} aria-label={spoken} />
      ) : (
        onOpen && <button type="button" className="sig-open" onClick={onOpen} aria-label={spoken} />
      )}
      <div className="ln l1">
        <span className="act">
          <Seal glyph={seal} hollow={!solid} voided={voided} />
          <span>{action}</span>
        </span>
        <span className="what">
          <span className="prod">{product}</span>
          {quantity && (
            <span className="qty num">
              {quantity} {unit}
            </span>
          )}
        </span>
        <div className="px num">
          {price === null && onFix ? (
            <button type="button" className="sig-fix" onClick={onFix}>
              補價
            </button>
          ) : (
            (price ?? '—')
          )}
        </div>
      </div>
      <div className="ln l2">
        <time className="num" dateTime={dateTime}>
          {time}
        </time>
        {strategy && <span className="name">{strategy}</span>}
        {states.length > 0 && (
          <span className="states">
            {states.map((state) => (
              <StateWord key={state.text} {...state} />
            ))}
          </span>
        )}
        {pnl !== null && (
          <span className="pnl">
            <Delta value={pnl} masked={masked} />
          </span>
        )}
        {after !== undefined && after !== null && (
          <span className="move num">
            {before ?? '0'} → <b>{after}</b>
          </span>
        )}
      </div>
      {ask && <div className="ask">{ask}</div>}
    </Box>
  )
}
