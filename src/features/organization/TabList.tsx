/* The list of a tab: its rows and the pager that stands in the address, or what is said when there is none. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { useCtx } from '#screen/data.tsx'
import { useTypedWord } from '#screen/use-list.ts'
import { auth } from '#state/session.ts'
import { Button } from '#ui/Button.tsx'
import { Pager } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Chips } from '#ui/Segments.tsx'
import { ListState, type ListStateProps } from './Parts.tsx'

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

/* The states of a tab's list as chips, the chosen one in the address; and what stands there when nothing has that state. */

type Words<S extends string> = Readonly<Record<S, { readonly text: string }>>

/** The state that the address asks for; undefined for all of them, also where it names none. */
export function useStatus<S extends string>(states: readonly S[]): S | undefined {
  const { search } = usePlace()
  return states.find((one) => one === search.status)
}

export function StateChips<S extends string>({ states, words }: { states: readonly S[]; words: Words<S> }) {
  const { change } = usePlace()
  const status = useStatus(states)
  return (
    <Chips
      inline="phone"
      label="狀態"
      chips={[
        { value: '', label: '全部', on: status === undefined },
        ...states.map((value) => ({ value, label: words[value].text, on: status === value })),
      ]}
      onPick={(value) => change({ status: value })}
    />
  )
}

/** `what` as in 沒有已過期的邀請, with the state before it. */
export function NothingOf({ state, what }: { state: string; what: string }) {
  const { change } = usePlace()
  return (
    <EmptyState
      card
      title={`沒有${state}的${what}`}
      action={
        <Button size="s" onClick={() => change({ status: '' })}>
          看全部
        </Button>
      }
    />
  )
}

// Where one stands in the administration: tab, group, filters and page, all in the address.

/** Rows of a page in every list of the administration. */
export const PAGE = 20

type Search = Partial<
  Record<
    | 'tab'
    | 'id'
    | 'search'
    | 'role'
    | 'status'
    | 'page'
    | 'on'
    | 'time'
    | 'user'
    | 'strategy'
    | 'view'
    | 'rows',
    string
  >
>

/** `change` lays over the address (empty takes away, any filter starts at page 1); `go` puts a new place into the history. */
export function usePlace() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const to = (next: Search, replace: boolean) => {
    const filled = Object.fromEntries(Object.entries(next).filter(([, value]) => value))
    void navigate({ to: '/organizations/manage', search: filled, replace })
  }
  return {
    search,
    page: Math.max(1, Number.parseInt(search.page ?? '', 10) || 1),
    change: (changes: Search) => to({ ...search, page: '', ...changes }, true),
    go: (next: Search) => to(next, false),
  }
}

/** The organization that is administered, and the context of its questions. */
export function useOrganization(): { id: string; ctx: ReturnType<typeof useCtx> } {
  const { org_id } = useSnapshot(auth)
  return { id: org_id ?? '', ctx: useCtx() }
}

/** The search of a tab: what its box shows, and the word that stands in the address, absent for none. */
export function useWord() {
  const { search, change } = usePlace()
  const [value, onChange] = useTypedWord(search.search ?? '', (text) => change({ search: text }))
  return { box: { value, onChange }, word: search.search?.trim() || undefined }
}
