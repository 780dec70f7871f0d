/* A row that opens: raw messages, a delivery, advanced settings. The platform's details, so it works with search in page. */
import type { ReactNode } from 'react'
import css from './Fold.module.css'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import { cx } from './open.ts'

/** `note` at the right of the summary. */
export type FoldProps = {
  title: ReactNode
  note?: ReactNode
  icon?: IconName
  children: ReactNode
  open?: boolean
  /** A part of a form: as high as a heading wants it. */
  large?: boolean
}

export function Fold({ title, note, icon, children, open = false, large = false }: FoldProps) {
  return (
    <details className={cx(css.root, large && css.large)} open={open}>
      <summary>
        {icon && <Icon name={icon} className="ink3" />}
        <span className="sp">{title}</span>
        {note && <span className={cx(css.note, 't13 ink3')}>{note}</span>}
        <Icon name="chevron-down" size={18} className={cx(css.turn, 'ink3')} />
      </summary>
      <div className={css.body}>{children}</div>
    </details>
  )
}
