/* More strategies than fit on a page, as a table: rows in sight, and the room of the others above and below. */

import { type CSSProperties, useMemo, useRef } from 'react'
import { serverNowIso } from '#text/now.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { GroupHead } from './GroupHead.tsx'
import css from './LongTable.module.css'
import { type LongProps, linesOf } from './long.ts'
import { StrategyTable } from './StrategyTable.tsx'
import { COLUMNS, TableRow } from './TableRow.tsx'
import { useLong } from './use-long.ts'

/** A line with its border (list.css), the same with the name of a group in it. */
const SIZES = { height: 53, head: 57, gap: 0, overscan: 12 }

export function LongTable({ total, at, reach, sections, wide: _always, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(total, 1, sections), [total, sections])
  const { virtual, shown, away, top, focus } = useLong(box, lines, SIZES, reach)
  const today = taipeiDay(serverNowIso())
  const above = (shown[0]?.start ?? top) - top
  const below = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  const room = { '--above': `${Math.max(0, above)}px`, '--below': `${Math.max(0, below)}px` } as CSSProperties
  // in one list and in order: what changes its place among the drawn must stay the same element
  const drawn = [...shown, ...(away ? [away] : [])].sort((a, b) => a.index - b.index)
  const row = (index: number, out: boolean) => {
    const line = lines[index]
    if (!line) return null
    const { head, from } = line
    if (!head)
      return (
        <TableRow
          key={index}
          // what is out of sight has no height to be measured
          {...(!out && { box: virtual.measureElement })}
          out={out}
          line={index}
          strategy={at(from)}
          place={from}
          today={line.dated ? today : undefined}
          {...rest}
        />
      )
    return (
      <tr key={index} ref={virtual.measureElement} data-index={index} className={css.head}>
        <th scope="rowgroup" colSpan={COLUMNS}>
          <GroupHead name={head.name} until={head.valid_until} count={head.count} today={today} />
        </th>
      </tr>
    )
  }
  return (
    <div ref={box} className={css.box} style={room} {...focus}>
      <StrategyTable items={[]} rows={total} {...rest}>
        {drawn.map(({ index }) => row(index, index === away?.index))}
      </StrategyTable>
    </div>
  )
}
