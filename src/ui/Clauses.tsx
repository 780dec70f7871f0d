/* A short centred sentence that breaks after its punctuation and not inside a word: Chinese has no blanks to break at. */
import { Children, type ReactNode } from 'react'
import css from './buttons.module.css'

/** Text alone is set clause by clause; anything else stays as it is. */
export function Clauses({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children)
  if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) return children
  const clauses = parts.join('').split(/(?<=[，。；：？])/)
  if (clauses.length === 1) return children
  let at = 0
  return clauses.map((clause) => {
    at += clause.length
    return (
      <span key={at} className={css.Clauses}>
        {clause}
      </span>
    )
  })
}
