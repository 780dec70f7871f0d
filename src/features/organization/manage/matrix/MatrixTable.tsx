/* Lines × groups: names stay at the left and groups at the top while the table scrolls in its box; only rows in sight are drawn of many. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import type { GroupMatrix } from '#contract/group.ts'
import { cx, opens } from '#ui/open.ts'
import { Table } from '#ui/Table.tsx'
import { usePlace } from '../use-place.ts'
import { CellWords, cellTitle } from './CellWords.tsx'
import type { Cell, MatrixLine } from './lines.ts'
import css from './MatrixTable.module.css'

/** From so many rows on those out of sight are not drawn. */
const MANY = 100
/** A row with its line (the styles beside). */
const ROW_PX = 53

export type MatrixTableProps<L> = {
  label: string
  /** What stands over the first column. */
  noun: string
  groups: GroupMatrix['groups']
  lines: readonly L[]
  head: (line: L) => ReactNode
}

export function MatrixTable<L extends MatrixLine<unknown>>(props: MatrixTableProps<L>) {
  const { label, noun, groups, lines } = props
  const box = useRef<HTMLDivElement>(null)
  const many = lines.length > MANY
  const virtual = useVirtualizer({
    count: lines.length,
    enabled: many,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  const shown = virtual.getVirtualItems()
  const drawn = many ? shown.map(({ index }) => index) : lines.map((_, index) => index)
  const room = {
    '--groups': groups.length,
    '--above': `${many ? (shown[0]?.start ?? 0) : 0}px`,
    '--below': `${many ? virtual.getTotalSize() - (shown.at(-1)?.end ?? 0) : 0}px`,
  } as CSSProperties
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={box} className={css.root} style={room} aria-label={label} tabIndex={0}>
      <Table className={css.table} aria-rowcount={lines.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{noun}</th>
            {groups.map((group) => (
              <th key={group.id} scope="col">
                <GroupLink id={group.id} className={css.group} title={group.name}>
                  {group.name}
                </GroupLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((index) => {
            const line = lines[index]
            if (!line) return null
            return (
              <tr key={line.id} aria-rowindex={index + 2}>
                <th scope="row">{props.head(line)}</th>
                {groups.map((group) => (
                  <td key={group.id}>
                    <CellLink group_id={group.id} cell={line.cells.get(group.id)} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </Table>
    </section>
  )
}

/** The whole cell leads to its group. By keyboard the head of the column does: thousands of stops would be none. */
function CellLink({ group_id, cell }: { group_id: string; cell: Cell | undefined }) {
  return (
    <GroupLink id={group_id} className={css.cell} quiet title={cell ? cellTitle(cell) : '不在這個群組'}>
      {cell ? <CellWords {...cell} /> : <span className={css.none}>—</span>}
    </GroupLink>
  )
}

type GroupLinkProps = {
  id: string
  className: string | undefined
  title: string
  quiet?: boolean
  children: ReactNode
}

function GroupLink({ id, className, title, quiet, children }: GroupLinkProps) {
  const { go, search } = usePlace()
  return (
    <a
      className={cx(className)}
      href={`/organizations/manage?tab=groups&id=${id}`}
      onClick={opens(() => go({ ...search, tab: 'groups', id }))}
      title={title}
      tabIndex={quiet ? -1 : undefined}
    >
      {children}
    </a>
  )
}
