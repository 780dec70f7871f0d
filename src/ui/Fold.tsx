/* A row that opens: raw messages, a delivery, advanced settings. The platform's details, so it works with search in page. */
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'

/** `note` at the right of the summary. */
export type FoldProps = {
  title: ReactNode
  note?: ReactNode
  icon?: IconName
  children: ReactNode
  open?: boolean
}

export function Fold({ title, note, icon, children, open = false }: FoldProps) {
  return (
    <details className="fold" open={open}>
      <summary>
        {icon && <Icon name={icon} className="ink3" />}
        <span className="sp">{title}</span>
        {note && <span className="t13 ink3">{note}</span>}
        <Icon name="chevron-down" size={18} className="ink3 turn" />
      </summary>
      <div className="fold-in">{children}</div>
    </details>
  )
}
