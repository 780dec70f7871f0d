// A page that stands alone: one sentence, what to do (not found, no permission, errors).
import type { ReactNode } from 'react'
import { Mark } from '#ui/Mark.tsx'
import css from './Lone.module.css'

/** `title` is the page's heading; `action` one or two verbs; `framed` inside a shell, which has the main region. */
export function Lone({
  title,
  children,
  action,
  framed = false,
}: {
  title: string
  children?: ReactNode
  action: ReactNode
  framed?: boolean
}) {
  const Room = framed ? 'div' : 'main'
  return (
    <Room className={css.root}>
      <Mark size={40} />
      <h1 tabIndex={-1}>{title}</h1>
      <div className={css.body}>{children}</div>
      <div className="row gap12">{action}</div>
    </Room>
  )
}
