/* Grey stand-ins with exactly the geometry of what replaces them. */

import type { CSSProperties } from 'react'
import { NAV } from '#text/spec.ts'
import { cx } from './open.ts'
import css from './Skeleton.module.css'

/** Which screen is waited for. list: 6 rows and 5 pager boxes; dashboard: 3 cards. `title` where a whole page is waited for: its heading until it has its own, seen where the page will show the same words. */
export type SkeletonProps = {
  type?: 'dashboard' | 'list' | 'form' | 'detail' | 'default'
  label?: string
  title?: string | undefined
  /** Below a bar that stands already: the rows alone, without room of their own. */
  inside?: boolean
}

const WIDTHS = [168, 196, 148, 208, 176, 156]

function Rows({ count }: { count: number }) {
  return (
    <div className={cx(css.rows, 'card flush')}>
      {WIDTHS.slice(0, count).map((width) => (
        <div className={css.row} key={width}>
          <Bone w={20} h={20} />
          <div className={cx(css.lines, 'sp')}>
            <Bone w={width} h={14} />
            <Bone w={width - 36} h={10} />
          </div>
          <div className={cx(css.lines, css.end)}>
            <Bone w={72} h={16} />
            <Bone w={48} h={10} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Greeting, the three cards (one under another on phones, where they are one card in three parts), the rows beside the strategies. */
function Dashboard() {
  return (
    <>
      <div className={css.hi}>
        <Bone w={120} h={20} />
      </div>
      <div className={css.lead}>
        {['a', 'b', 'c'].map((key) => (
          <div className={cx(css.card, 'card pad')} key={key}>
            <Bone w={80} h={12} />
            <Bone w={160} h={32} />
            <Bone h={76} />
            <Bone h={12} />
          </div>
        ))}
      </div>
      <div className={css.two}>
        <Rows count={6} />
        <div className={cx(css.side, 'card pad')}>
          <Bone w={80} h={16} />
          <Bone h={40} />
        </div>
      </div>
    </>
  )
}

function Form() {
  return (
    <div className={cx(css.form, 'card pad')}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div className={css.lines} key={key}>
          <Bone w={72} h={14} />
          <Bone h={44} />
        </div>
      ))}
      <Bone w={112} h={40} />
    </div>
  )
}

export function Skeleton({
  type = 'default',
  label = '載入中',
  title = type === 'dashboard' ? NAV.home : undefined,
  inside = false,
}: SkeletonProps) {
  // lists and forms are called the same whatever is in them; a strategy and the greeting have names of their own
  const said = title && (type === 'list' || type === 'form')
  return (
    <>
      {/* beside the status, not in it: found by who looks for it, not said by itself */}
      {title && (
        // biome-ignore lint/a11y/useSemanticElements: the focus after a navigation waits for the h1 of the page itself
        <div role="heading" aria-level={1} className={said ? css.title : 'vh'}>
          {title}
        </div>
      )}
      <div
        className={cx(css.root, inside && css.inside)}
        role="status"
        aria-label={label}
        data-skeleton={type}
      >
        {type !== 'default' && type !== 'dashboard' && !said && !inside && <Bone w={160} h={36} />}
        {type === 'dashboard' && <Dashboard />}
        {type === 'form' && <Form />}
        {type === 'detail' && (
          <div className={css.two}>
            <div className={cx(css.card, 'card pad')}>
              <Bone w={120} h={12} />
              <Bone w={220} h={40} />
              <Bone h={180} />
            </div>
            <Rows count={4} />
          </div>
        )}
        {(type === 'list' || type === 'default') && <Rows count={type === 'list' ? 6 : 4} />}
        {type === 'list' && !inside && (
          <div className={css.pager}>
            {['a', 'b', 'c', 'd', 'e'].map((key) => (
              <Bone key={key} w={36} h={32} />
            ))}
          </div>
        )}
        <Wait afloat />
      </div>
    </>
  )
}

/* A grey box in place of what is on its way. */

/** Sizes in px; without width it fills the line. */
export type BoneProps = { w?: number; h?: number; style?: CSSProperties; className?: string | undefined }

export function Bone({ w, h, style, className }: BoneProps) {
  const size = {
    ...(w === undefined ? {} : { width: w }),
    ...(h === undefined ? {} : { height: h }),
    ...style,
  }
  return <i className={cx(css.Bone, className)} style={size} />
}

/* What a wait says when it has lasted for four seconds: whom it is for, and that nobody has to press anything. */

/** Takes its room from the start. Stands in a `role="status"`. `afloat` under rows that may be higher than the screen: over them, where it is seen. */
export function Wait({ afloat = false }: { afloat?: boolean }) {
  return <p className={cx(css.Wait, afloat && css.WaitAfloat)}>伺服器還沒有回應，資料一到就會出現。</p>
}

/* The whole screen while something essential is fetched. */

/** Two lines, e.g. 載入中... and 正在載入頁面. */
export type LoadingScreenProps = { title: string; subtitle?: string }

export function LoadingScreen({ title, subtitle }: LoadingScreenProps) {
  return (
    <div className={css.LoadingScreen} role="status" aria-live="polite">
      <svg viewBox="0 0 130 56" width="130" height="56" aria-hidden="true">
        <path
          d="M6 38c18 0 18-22 36-22s20 26 40 26c18 0 26-20 37-31"
          fill="none"
          stroke="var(--chart-line)"
          strokeWidth="2"
          strokeLinecap="round"
        />
        <circle className={css.LoadingScreenBeat} cx="120" cy="10" r="4.5" fill="var(--brand)" />
      </svg>
      <b>{title}</b>
      {subtitle && <p>{subtitle}</p>}
    </div>
  )
}
