/* One part of the form: what it is about at the left, its fields at the right; on phones one under the other. */
import type { ReactNode } from 'react'
import './form.css'

/** `about` one short sentence. */
export type SectionProps = { title: string; about: string; children: ReactNode }

export function Section({ title, about, children }: SectionProps) {
  return (
    <section className="card fs" aria-label={title}>
      <div className="fs-head">
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div className="fs-fields">{children}</div>
    </section>
  )
}
