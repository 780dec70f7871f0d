/* The virtual list of records by trading day, for thousands of them: only the rows in sight exist. */

import { memo, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { taipei } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { NewPill } from '#ui/nouns/DayHeader.tsx'
import { useArrivals } from './arrivals.ts'
import { entriesOf } from './days.ts'
import css from './SignalWindow.module.css'
import { DaySlot, RowSlot } from './slots.tsx'
import { type Reach, useTravel } from './use-travel.ts'
import { useWindow } from './use-window.ts'

/** `all` every record of the scope, `match` which of them are listed (null all). `names` null leaves the strategy out. `reach` gets the way to a row. */
export type SignalWindowProps = {
  all: readonly SignalRecord[]
  match: ((record: SignalRecord) => boolean) | null
  filters: string
  loaded: boolean
  names: ReadonlyMap<string, string> | null
  masked: boolean
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  onFix: ((id: string) => void) | undefined
  reach: RefObject<Reach | null>
}

const always = () => true

/** Not drawn again by a record that opens over it. */
export const SignalWindow = memo(function SignalWindow(props: SignalWindowProps) {
  const { all, match, filters, loaded, names, masked, hrefOf, onOpen, onFix, reach } = props
  const records = useMemo(() => (match ? all.filter(match) : all), [all, match])
  const entries = useMemo(() => entriesOf(records), [records])
  const box = useRef<HTMLDivElement>(null)
  const { virtual, starts, stuck, away, setActive } = useWindow(box, entries, filters)
  const travel = useTravel(box, entries, { virtual, setActive }, reach)
  const { fresh, missed, seen } = useArrivals(all, loaded, match ?? always, away)
  useEffect(() => {
    const onScroll = () => {
      if (!away()) seen()
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [away, seen])

  const today = taipei(serverNow()).day
  const top = () => window.scrollTo({ top: 0, behavior: calm() ? 'instant' : 'smooth' })
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the arrow keys of the rows inside */}
      <div ref={box} className={css.root} data-window="" onKeyDown={travel}>
        <ul style={{ height: starts[entries.length] ?? 0 }} aria-label="訊號">
          {virtual.getVirtualItems().map(({ index }) => {
            const entry = entries[index]
            if (!entry) return null
            const place = index === stuck.current ? null : (starts[index] ?? 0)
            if (entry.kind === 'day')
              return <DaySlot key={entry.key} entry={entry} place={place} today={today} masked={masked} />
            return (
              <RowSlot
                key={entry.key}
                place={place}
                at={entry.at}
                of={records.length}
                record={entry.record}
                dated={isEve(entry.record, today)}
                strategy={names ? (names.get(entry.record.strategy_id) ?? '') : noteOf(entry.record)}
                highlight={fresh.has(entry.key)}
                masked={masked}
                hrefOf={hrefOf}
                onOpen={onOpen}
                onFix={onFix}
              />
            )
          })}
        </ul>
      </div>
      <NewPill count={missed} onClick={top} />
    </>
  )
})

/** Of the evening before: under 今天 its bare time would be one to come. */
function isEve({ trading_date, occurred_at }: SignalRecord, today: string): boolean {
  return trading_date === today && taipei(occurred_at).day < today
}

/** A void's and a correction's own words stand in its state. */
function noteOf(record: SignalRecord): string | null {
  return record.refers_to === null ? record.note : null
}

function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
