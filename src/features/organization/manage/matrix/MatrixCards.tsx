/* One card for every line, for phones: who or what, and the groups with their days; only those in sight are drawn of many. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { GroupMatrix } from '#contract/group.ts'
import { opens } from '#ui/open.ts'
import { usePlace } from '../use-place.ts'
import { CellWords, cellTitle } from './CellWords.tsx'
import type { MatrixLine } from './lines.ts'
import css from './MatrixCards.module.css'

/** From so many cards on those out of sight are not drawn. */
const MANY = 100
/** A head, and a row of it, as long as they have not been measured. */
const [HEAD_PX, ROW_PX] = [68, 44]

export type MatrixCardsProps<L> = {
  label: string
  groups: GroupMatrix['groups']
  lines: readonly L[]
  head: (line: L) => ReactNode
}

export function MatrixCards<L extends MatrixLine<unknown>>({
  label,
  groups,
  lines,
  head,
}: MatrixCardsProps<L>) {
  const box = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const many = lines.length > MANY
  useLayoutEffect(() => {
    const node = box.current
    if (!node || !many) return
    const measure = () => setTop(Math.round(node.getBoundingClientRect().top + scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [many])
  const virtual = useWindowVirtualizer({
    count: lines.length,
    enabled: many,
    estimateSize: (index) => HEAD_PX + (lines[index]?.cells.size ?? 0) * ROW_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    scrollMargin: top,
    overscan: 8,
  })
  if (!many)
    return (
      <ul className="card flush" aria-label={label}>
        {lines.map((line) => (
          <li key={line.id} className={css.line}>
            {head(line)}
            <Days groups={groups} line={line} />
          </li>
        ))}
      </ul>
    )
  return (
    <div className="card flush">
      <ul ref={box} className={css.long} style={{ height: virtual.getTotalSize() }} aria-label={label}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={css.line}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
            >
              {head(line)}
              <Days groups={groups} line={line} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** In the order of the groups. */
function Days({ groups, line }: { groups: GroupMatrix['groups']; line: MatrixLine<unknown> }) {
  const { go, search } = usePlace()
  if (line.cells.size === 0) return null
  return (
    <ul className={css.days}>
      {groups.map(({ id, name }) => {
        const cell = line.cells.get(id)
        if (!cell) return null
        const place = { ...search, tab: 'groups', id }
        return (
          <li key={id}>
            <a
              href={`/organizations/manage?tab=groups&id=${id}`}
              onClick={opens(() => go(place))}
              title={cellTitle(cell)}
            >
              <span className="el sp">{name}</span>
              <CellWords {...cell} />
            </a>
          </li>
        )
      })}
    </ul>
  )
}
