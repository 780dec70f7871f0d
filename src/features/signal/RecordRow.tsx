/* One record in the list; drawn again only when its own record or its highlight changes. */
import { memo } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { mdHm } from '#text/format.ts'
import { rowOf } from '#text/row.ts'
import { SignalRow } from '#ui/nouns/SignalRow.tsx'
import css from './SignalWindow.module.css'

/** `dated` says the day beside the time; `strategy` is the strategy's name, inside one strategy the record's own note. `onOpen` gets the record's id. */
export type RecordRowProps = {
  record: SignalRecord
  dated: boolean
  strategy: string | null
  highlight: boolean
  masked: boolean
  /** The record's own address on this page. */
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  /** Gets the id of a record without a price; undefined for those who may not edit. */
  onFix: ((id: string) => void) | undefined
}

export const RecordRow = memo(function RecordRow({
  record,
  dated,
  strategy,
  highlight,
  masked,
  hrefOf,
  onOpen,
  onFix,
}: RecordRowProps) {
  return (
    <SignalRow
      {...rowOf(record, strategy)}
      {...(dated && { time: mdHm(record.occurred_at) })}
      as="div"
      className={css.row}
      highlight={highlight}
      masked={masked}
      href={hrefOf(record.id)}
      onOpen={() => onOpen(record.id)}
      {...(onFix && record.derived.status === 'pending_price' && { onFix: () => onFix(record.id) })}
    />
  )
})
