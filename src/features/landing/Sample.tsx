// The feed as it will look, with sample data and the product's own rows.

import { ConnectionBadge } from '#ui/ConnectionBadge.tsx'
import { sealTone } from '#ui/nouns/Delta.tsx'
import { SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import css from './Sample.module.css'
import type { SampleRow } from './sample.ts'

/** `fresh` the key of the row that has just arrived, null before the first press. */
export function Sample({ rows, fresh }: { rows: readonly SampleRow[]; fresh: string | null }) {
  return (
    <section className={css.root} aria-label="範例訊號">
      <header>
        <h2>訊號</h2>
        <ConnectionBadge state="online" />
        <span className="sp" />
        <span className="t12 ink3">範例資料</span>
      </header>
      <i className={`${css.hit} ${sealTone(rows[0]?.seal ?? '')}`} aria-hidden="true" />
      <SignalList label="範例訊號" framed className={css.rows}>
        {rows.map(({ key, ...row }) => (
          <SignalRow key={key} {...row} highlight={key === (fresh ?? rows[0]?.key)} />
        ))}
      </SignalList>
    </section>
  )
}
