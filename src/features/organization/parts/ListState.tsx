/* A list that is asked for: skeleton, failure with 重試, the age when only the copy is there, or the list. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Rows } from './Rows.tsx'

/** `title` says what could not be read. */
export type ListStateProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'dataUpdatedAt'> & {
    refetch: () => Promise<unknown>
  }
  title: string
  children: (data: T) => ReactNode
  card?: boolean
  /** Stands there from the start when it is known that the list will be empty: nothing moves when it comes. */
  none?: ReactNode
  /** Leads to the first page, where a later one is asked for: it may be at hand when this one is not. */
  onFirst?: (() => void) | undefined
}

export function ListState<T>({ query, title, children, card = true, none, onFirst }: ListStateProps<T>) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = query
  if (data !== undefined)
    return (
      <>
        {error && <Stale at={dataUpdatedAt} />}
        {children(data)}
      </>
    )
  if (!error) return none || <Rows card={card} />
  return (
    <FailState
      card={card}
      title={title}
      busy={isFetching}
      onRetry={() => void refetch()}
      action={
        onFirst && (
          <Button size="s" kind="ghost" onClick={onFirst}>
            回第 1 頁
          </Button>
        )
      }
    >
      {failureSentence(error)}
    </FailState>
  )
}
