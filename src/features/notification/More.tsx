/* The key under a list that brings what is older; what did not come is said where it was pressed. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { failureSentence } from '#screen/failure.ts'
import { Button } from '#ui/Button.tsx'
import css from './SignalNotificationPage.module.css'

type Asked = Pick<
  UseInfiniteQueryResult,
  'error' | 'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
>

export function More({ asked, children }: { asked: Asked; children: string }) {
  const { error, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = asked
  if (!hasNextPage) return null
  return (
    <div className={css.more}>
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
      {isFetchNextPageError && (
        <p className="t13 ink3" role="alert">
          {failureSentence(error)}
        </p>
      )}
    </div>
  )
}
