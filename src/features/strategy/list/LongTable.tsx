/* More strategies than fit on a page, as a table: rows in sight, and the room of the others above and below. */
import { useRef } from 'react'
import type { LongProps } from './long.ts'
import { StrategyTable } from './StrategyTable.tsx'
import { COLUMNS, TableRow } from './TableRow.tsx'
import { useLong } from './use-long.ts'

/** A line with its border (list.css), and the head over the first. */
const ROW_PX = 53

export function LongTable({ total, at, reach, wide: _always, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const { virtual, shown, top } = useLong(box, total, { height: ROW_PX, gap: 0, overscan: 12 }, reach)
  const above = (shown[0]?.start ?? top) - top
  const below = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  return (
    <div ref={box}>
      <StrategyTable items={[]} rows={total} {...rest}>
        <Room px={above} />
        {shown.map(({ index }) => (
          <TableRow key={index} box={virtual.measureElement} strategy={at(index)} place={index} {...rest} />
        ))}
        <Room px={below} />
      </StrategyTable>
    </div>
  )
}

/** No line of the table: readers count only the strategies. */
function Room({ px }: { px: number }) {
  if (px <= 0) return null
  return (
    <tr role="presentation" style={{ height: px }}>
      <td role="presentation" colSpan={COLUMNS} style={{ height: px, padding: 0, border: 0 }} />
    </tr>
  )
}
