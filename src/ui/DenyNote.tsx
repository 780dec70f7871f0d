/* 為什麼不行？: which permission is missing, as whom one stands here, and whom to ask. */
import type { ReactNode } from 'react'
import css from './DenyNote.module.css'
import { Icon } from './Icon.tsx'

/** `children` one or two sentences. */
export type DenyNoteProps = { title?: string; children: ReactNode; action?: ReactNode }

export function DenyNote({ title = '為什麼不行？', children, action }: DenyNoteProps) {
  return (
    <div className={`card ${css.root}`}>
      <Icon name="info" className={css.sign} />
      <div className="sp">
        <b>{title}</b>
        <p>{children}</p>
        {action}
      </div>
    </div>
  )
}
