/* A page before or beside the application with one matter on it: signing in by a link, consent. The verbs stand where the thumb is. */
import type { ReactNode } from 'react'
import css from './forms.module.css'
import { Mark } from './Icon.tsx'

/** `lead` above the heading (who is concerned), `actions` at the end: the main verb last. `busy` while something is fetched. */
export type GateProps = {
  title: ReactNode
  children?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  busy?: boolean
}

export function Gate({ title, children, lead, actions, busy }: GateProps) {
  return (
    <main className={css.Gate} aria-busy={busy || undefined}>
      <div className={css.GateBox}>
        <div className={css.GateLead}>{lead ?? <Mark size={40} label="凌波" />}</div>
        <h1 tabIndex={-1}>{title}</h1>
        <div className={css.GateBody}>{children}</div>
        {actions && <footer className={css.GateFoot}>{actions}</footer>}
      </div>
    </main>
  )
}
