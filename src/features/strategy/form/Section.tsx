/* One part of the form: what it is about at the left, its fields at the right; on phones one under the other. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './Section.module.css'

/** `about` one short sentence. */
export type SectionProps = { title: string; about: string; children: ReactNode }

export function Section({ title, about, children }: SectionProps) {
  return (
    <section className={cx(css.root, 'card')} aria-label={title}>
      <div className={css.head}>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div className={css.fields}>{children}</div>
    </section>
  )
}
