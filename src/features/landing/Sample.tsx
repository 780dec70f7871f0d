// The feed as it will look, with sample data and the product's own rows.
import { ConnectionBadge } from '#ui/ConnectionBadge.tsx'
import { sealTone } from '#ui/Seal.tsx'
import { SignalList } from '#ui/SignalList.tsx'
import { SignalRow } from '#ui/SignalRow.tsx'
import type { SampleRow } from './sample.ts'

/** `fresh` the key of the row that has just arrived, null before the first press. */
export function Sample({ rows, fresh }: { rows: readonly SampleRow[]; fresh: string | null }) {
  return (
    <section className="sample" aria-label="範例訊號">
      <header>
        <h2>訊號</h2>
        <ConnectionBadge state="online" />
        <span className="sp" />
        <span className="t12 ink3">範例資料</span>
      </header>
      <i className={`sample-hit ${sealTone(rows[0]?.seal ?? '')}`} aria-hidden="true" />
      <SignalList label="範例訊號" framed>
        {rows.map(({ key, ...row }) => (
          <SignalRow key={key} {...row} highlight={key === (fresh ?? rows[0]?.key)} />
        ))}
      </SignalList>
    </section>
  )
}
