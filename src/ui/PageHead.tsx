/* The head of a page: where back leads, the title that gets the focus after navigation, what stands beside it. */
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import css from './layout.module.css'
import { cx, opens } from './open.ts'

/** `back` the page above. `tags` behind the title, `meta` one line under it, `children` at the right (actions, figures). `quiet` 20 px instead of 28 (greeting). */
export type PageHeadProps = {
  title: string
  back?: { href: string; label: string; onOpen?: () => void }
  tags?: ReactNode
  meta?: ReactNode
  children?: ReactNode
  quiet?: boolean
  /** The line of filters below takes it in where the screen is low. */
  overFilters?: boolean
  /** As low as it can be on phones: for a name with much beside it. */
  slim?: boolean
  /** Its place. */
  className?: string | undefined
}

export function PageHead(props: PageHeadProps) {
  const {
    title,
    back,
    tags,
    meta,
    children,
    quiet = false,
    overFilters = false,
    slim = false,
    className,
  } = props
  return (
    <header
      className={cx(
        css.PageHead,
        back && css.PageHeadNav,
        quiet && css.PageHeadQuiet,
        overFilters && css.PageHeadOverFilters,
        slim && css.PageHeadSlim,
        className,
      )}
    >
      {back && (
        <a
          className={css.PageHeadBack}
          href={back.href}
          onClick={opens(back.onOpen)}
          aria-label={`返回${back.label}`}
        >
          <Icon name="chevron-left" size={24} className={css.PageHeadArrow} />
          <span>{back.label}</span>
        </a>
      )}
      <div className={css.PageHeadMain}>
        <div className={css.PageHeadTitle}>
          <h1 tabIndex={-1}>{title}</h1>
          {tags}
        </div>
        {meta && <p className={css.PageHeadMeta}>{meta}</p>}
      </div>
      {children && <div className={css.PageHeadSide}>{children}</div>}
    </header>
  )
}
