/* A card of a group: who or what is in it with their days; added, changed, taken out. */
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ListState, type ListStateProps } from '../parts/ListState.tsx'
import { SectionTitle } from './SectionTitle.tsx'

/**
 * `noun` what stands in it, `empty` why nothing does is worth a change. `row` draws one with what its menu does; `add`, `edit`
 * and `remove` draw what opens over the card until they close it.
 */
export type SpanCardProps<Data, Row> = {
  noun: string
  count: number
  /** In it for nothing any more: not counted, and below the others. */
  over: (row: Row) => boolean
  query: ListStateProps<Data>['query']
  rowsOf: (data: Data) => readonly Row[]
  empty: string
  row: (row: Row, acts: { onEdit: () => void; onRemove: () => void }) => ReactNode
  add: (onClose: () => void) => ReactNode
  edit: (row: Row, onClose: () => void) => ReactNode
  remove: (row: Row, onClose: () => void) => ReactNode
  foot?: ReactNode
  /** Leads to the first page, where a later one is asked for. */
  onFirst?: (() => void) | undefined
}

export function SpanCard<Data, Row>(props: SpanCardProps<Data, Row>) {
  const { noun, query } = props
  const [opened, setOpened] = useState<'add' | { edit: Row } | { remove: Row } | null>(null)
  const close = () => setOpened(null)
  const drawn = (row: Row) =>
    props.row(row, {
      onEdit: () => setOpened({ edit: row }),
      onRemove: () => setOpened({ remove: row }),
    })
  return (
    <Card
      title={noun}
      count={props.count}
      action={
        <Button
          size="s"
          kind="tint"
          icon="plus"
          disabled={query.data === undefined}
          onClick={() => setOpened('add')}
        >
          加入{noun}
        </Button>
      }
    >
      <ListState query={query} title={`讀不到群組的${noun}`} card={false} onFirst={props.onFirst}>
        {(data) => {
          const rows = props.rowsOf(data)
          if (rows.length === 0) return <EmptyState title={`還沒有${noun}`}>{props.empty}</EmptyState>
          const [standing, ended] = [rows.filter((row) => !props.over(row)), rows.filter(props.over)]
          return (
            <>
              {standing.length > 0 && <ul>{standing.map(drawn)}</ul>}
              {ended.length > 0 && <SectionTitle as="h3">已到期：不計入{noun}數</SectionTitle>}
              {ended.length > 0 && <ul>{ended.map(drawn)}</ul>}
              {props.foot}
            </>
          )
        }}
      </ListState>
      {opened === 'add'
        ? props.add(close)
        : opened && ('edit' in opened ? props.edit(opened.edit, close) : props.remove(opened.remove, close))}
    </Card>
  )
}
