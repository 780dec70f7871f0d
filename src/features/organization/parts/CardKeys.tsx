/* The keys under a card, at its foot; on a phone as wide as the card. */
import type { ReactNode } from 'react'
import css from './CardKeys.module.css'

export function CardKeys({ children }: { children: ReactNode }) {
  return <div className={css.root}>{children}</div>
}
