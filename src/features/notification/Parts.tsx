/* Grey rows of the height that notifications and deliveries have, under what stands over them. */

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { failureSentence } from '#screen/failure.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/open.ts'
import { Bone, Wait } from '#ui/Skeleton.tsx'
import css from './SignalNotificationPage.module.css'

const WIDTHS = [168, 196, 148, 208, 176, 156, 188]

/** `head` a line with a button, `day` the name of a day, `titled` the heading of a card, `tall` rows of deliveries: so that nothing moves when the rows come. Without `label` it is one of several. */
export function Waiting({
  label,
  head = false,
  day = false,
  titled = false,
  tall = false,
}: {
  label?: string
  head?: boolean
  day?: boolean
  titled?: boolean
  tall?: boolean
}) {
  return (
    <div {...(label ? { role: 'status', 'aria-label': label } : { 'aria-hidden': true })}>
      {head && (
        <div className={css.head}>
          <Bone w={72} h={14} />
        </div>
      )}
      {day && (
        <div className={css.day}>
          <Bone w={96} h={12} />
        </div>
      )}
      <div className={cx('card flush', titled && css.titled, tall && css.tall)}>
        {titled && (
          <div className={css.title}>
            <Bone w={64} h={16} />
          </div>
        )}
        {WIDTHS.map((width) => (
          <div className={css.waiting} key={width}>
            <Bone w={width} h={14} />
            <Bone w={width - 40} h={10} />
          </div>
        ))}
      </div>
      {label && <Wait afloat />}
    </div>
  )
}

/* The key under a list that brings what is older; what did not come is said where it was pressed. */

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
