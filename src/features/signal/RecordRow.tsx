/* One record in the list; drawn again only when its own record or its highlight changes. */
import { memo } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { SignalRow } from '#ui/SignalRow.tsx'
import { rowOf } from './row.ts'

/** `strategy` is the strategy's name, inside one strategy the record's own note. `onOpen` gets the record's id. */
export type RecordRowProps = {
  record: SignalRecord
  strategy: string | null
  highlight: boolean
  masked: boolean
  href: string
  onOpen: (id: string) => void
}

export const RecordRow = memo(function RecordRow({
  record,
  strategy,
  highlight,
  masked,
  href,
  onOpen,
}: RecordRowProps) {
  return (
    <SignalRow
      {...rowOf(record, strategy)}
      as="div"
      highlight={highlight}
      masked={masked}
      href={href}
      onOpen={() => onOpen(record.id)}
    />
  )
})
