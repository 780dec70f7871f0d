// A page that stands alone: one sentence, what to do (not found, no permission, errors).
import type { ReactNode } from 'react'
import { Mark } from '#ui/Mark.tsx'
import './lone.css'

/** `title` is the page's heading; `action` one or two verbs. */
export function Lone({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action: ReactNode
}) {
  return (
    <main className="lone">
      <Mark size={40} />
      <h1 tabIndex={-1}>{title}</h1>
      <div className="lone-body">{children}</div>
      <div className="row gap12">{action}</div>
    </main>
  )
}
