/* The head of a page: where back leads, the title that gets the focus after navigation, what stands beside it. */
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { cx, opens } from './open.ts'

/** `back` the page above. `tags` behind the title, `meta` one line under it, `children` at the right (actions, figures). `quiet` 20 px instead of 28 (greeting). */
export type PageHeadProps = {
  title: string
  back?: { href: string; label: string; onOpen?: () => void }
  tags?: ReactNode
  meta?: ReactNode
  children?: ReactNode
  quiet?: boolean
}

export function PageHead({ title, back, tags, meta, children, quiet = false }: PageHeadProps) {
  return (
    <header className={cx('ph', back && 'nav', quiet && 'quiet')}>
      {back && (
        <a className="ph-back" href={back.href} onClick={opens(back.onOpen)} aria-label={`返回${back.label}`}>
          <Icon name="chevron-left" size={24} />
          <span>{back.label}</span>
        </a>
      )}
      <div className="ph-main">
        <div className="ph-title">
          <h1 tabIndex={-1}>{title}</h1>
          {tags}
        </div>
        {meta && <p className="ph-meta">{meta}</p>}
      </div>
      {children && <div className="ph-side">{children}</div>}
    </header>
  )
}
