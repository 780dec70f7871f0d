/* More strategies than fit on a page, as a table: rows in sight, and the room of the others above and below. */
import { type CSSProperties, useRef } from 'react'
import css from './LongTable.module.css'
import type { LongProps } from './long.ts'
import { StrategyTable } from './StrategyTable.tsx'
import { TableRow } from './TableRow.tsx'
import { useLong } from './use-long.ts'

/** A line with its border (list.css), and the head over the first. */
const ROW_PX = 53

export function LongTable({ total, at, reach, wide: _always, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const { virtual, shown, top } = useLong(box, total, { height: ROW_PX, gap: 0, overscan: 12 }, reach)
  const above = (shown[0]?.start ?? top) - top
  const below = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  const room = { '--above': `${Math.max(0, above)}px`, '--below': `${Math.max(0, below)}px` } as CSSProperties
  return (
    <div ref={box} className={css.box} style={room}>
      <StrategyTable items={[]} rows={total} {...rest}>
        {shown.map(({ index }) => (
          <TableRow key={index} box={virtual.measureElement} strategy={at(index)} place={index} {...rest} />
        ))}
      </StrategyTable>
    </div>
  )
}
