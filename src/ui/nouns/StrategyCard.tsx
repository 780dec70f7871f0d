/* A strategy at a glance: name, curve, one big figure, three small ones, where it stands now. */

import type { ReactNode } from 'react'
import { MiniCurve } from '../Figures.tsx'
import { IconButton } from '../IconButton.tsx'
import { cx, opens } from '../open.ts'
import css from './cards.module.css'
import { Delta, Seal } from './Delta.tsx'

/** Texts are already formatted. `pnl` whole dollars, null —; `rate` +53.45%; `figures` three of label and value; `seal` + `held` (2 口) + `average` the position, none = 空手; `last` 10:31:58 加碼. */
export type StrategyCardProps = {
  name: string
  meta: string
  href: string
  onOpen?: () => void
  /** Null: its room stays empty. */
  points: readonly number[] | null
  base?: number
  pnl: number | null
  rate: string | null
  figures: readonly { label: string; value: string }[]
  seal?: string | null
  held?: string
  average?: string | null
  last?: string | null
  /** One warning at most: a Tag. */
  tag?: ReactNode
  /** Null: its room stays empty. */
  bell?: { on: boolean; onClick?: () => void } | null
  /** The key of its actions with its Menu; null: its room stays empty. */
  menu?: ReactNode
  paused?: boolean
  masked?: boolean
  /** In place of 空手 (members without a view on positions, several products). */
  position?: ReactNode
  /** Its place, from 1, in a list that is not drawn whole. */
  place?: { at: number; of: number }
}

export function StrategyCard(props: StrategyCardProps) {
  const {
    name,
    meta,
    href,
    onOpen,
    points,
    base,
    pnl,
    rate,
    figures,
    seal,
    held,
    average,
    last,
    tag,
    bell,
    menu,
    paused = false,
    masked = false,
  } = props
  return (
    <article
      className={cx('card', css.StrategyCard, paused && 'paused')}
      {...(props.place && { 'aria-posinset': props.place.at, 'aria-setsize': props.place.of })}
    >
      <div className={css.StrategyCardHead}>
        <h3 className="el">
          <a className={css.StrategyCardOpen} href={href} onClick={opens(onOpen)} title={name}>
            {name}
          </a>
        </h3>
        {tag}
      </div>
      {bell !== undefined && (
        <div className={css.StrategyCardBell}>
          {bell && (
            <IconButton
              icon={bell.on ? 'bell' : 'bell-off'}
              size={18}
              label={`${name}：通知${bell.on ? '開' : '關'}`}
              pressed={bell.on}
              quiet={!bell.on}
              disabled={!bell.onClick}
              {...(bell.onClick ? { onClick: bell.onClick } : {})}
            />
          )}
        </div>
      )}
      {menu !== undefined && <div className={css.StrategyCardMenu}>{menu}</div>}
      <p className={cx(css.StrategyCardMeta, 'el')}>{meta}</p>
      <div className={css.StrategyCardCurve}>
        {points && (
          <MiniCurve
            points={points}
            {...(base === undefined ? {} : { base })}
            muted={paused}
            label={`${name}的權益曲線`}
          />
        )}
      </div>
      <div className={css.StrategyCardNet}>
        <span className="t20 w6">
          <Delta value={pnl} unit="元" masked={masked} />
        </span>
        {rate !== null && <span className={cx(css.StrategyCardRate, 'num')}>{rate}</span>}
      </div>
      <dl className={css.StrategyCardFigures}>
        {figures.map((figure) => (
          <div key={figure.label}>
            <dt>{figure.label}</dt>
            <dd className="num">{figure.value}</dd>
          </div>
        ))}
      </dl>
      <div className={css.StrategyCardFoot}>
        {props.position ??
          (seal ? (
            <span className={cx(css.StrategyCardHeld, 'row gap6')}>
              <Seal glyph={seal} />
              <b className="num nowrap">{held}</b>
              {average && <span className="num ink3 el">@{average}</span>}
            </span>
          ) : (
            <span className="ink3">空手</span>
          ))}
        <span className="sp" />
        {last && <span className="num t13 ink3 nowrap">{last}</span>}
      </div>
    </article>
  )
}
