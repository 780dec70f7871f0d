/* The list of a tab: its rows and the pager that stands in the address, or what is said when there is none. */
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pager } from '#ui/Table.tsx'
import { ListState, type ListStateProps } from '../parts/ListState.tsx'
import { PAGE, usePlace } from './use-place.ts'

/** `title` says what could not be read, `counter` is the measure word, `children` draws the rows of a page. */
export type TabListProps<T> = {
  query: ListStateProps<{ items: readonly T[]; total: number }>['query']
  title: string
  counter: string
  empty: ReactNode
  children: (items: readonly T[]) => ReactNode
}

export function TabList<T>({ query, title, counter, empty, children }: TabListProps<T>) {
  const { page, change } = usePlace()
  return (
    <ListState query={query} title={title} onFirst={page > 1 ? () => change({}) : undefined}>
      {({ items, total }) =>
        items.length > 0 ? (
          <>
            {children(items)}
            <Pager
              page={page}
              pageSize={PAGE}
              total={total}
              counter={counter}
              onPage={(to) => change({ page: String(to) })}
            />
          </>
        ) : (
          empty
        )
      }
    </ListState>
  )
}

/** Nothing of this name or word was found. */
export function NothingFound({ noun }: { noun: string }) {
  const { change } = usePlace()
  return (
    <EmptyState
      card
      title={`沒有符合的${noun}`}
      action={
        <Button size="s" onClick={() => change({ search: '' })}>
          清除搜尋
        </Button>
      }
    />
  )
}
