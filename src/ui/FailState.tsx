/* Something could not be read: what failed, what is safe, 重試. */
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Clauses } from './Clauses.tsx'
import emptyStateCss from './EmptyState.module.css'
import css from './FailState.module.css'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'

/** `title` what failed (讀不到訊號); `children` what happened and what still works; `onRetry` shows 重試, `busy` while trying. `row`: one line in a card of rows, as tall as the row that was waited for. */
export type FailStateProps = {
  title: string
  children?: ReactNode
  onRetry?: () => void
  busy?: boolean
  action?: ReactNode
  card?: boolean
  row?: boolean
}

export function FailState({
  title,
  children,
  onRetry,
  busy = false,
  action,
  card = false,
  row = false,
}: FailStateProps) {
  if (row)
    return (
      <div className={css.row} role="alert">
        <Icon name="warning" size={20} className="ink3" />
        <p className="sp">
          <b>{title}</b>
          {children && <small>{children}</small>}
        </p>
        {onRetry && (
          <Button size="s" busy={busy} onClick={onRetry}>
            重試
          </Button>
        )}
        {action}
      </div>
    )
  return (
    <div className={card ? `${emptyStateCss.root} card` : emptyStateCss.root} role="alert">
      <Icon name="warning" size={28} className={cx(emptyStateCss.sign, 'ink3')} />
      <b>{title}</b>
      {children && (
        <p>
          <Clauses>{children}</Clauses>
        </p>
      )}
      <div className={cx(emptyStateCss.below, 'row gap8')}>
        {onRetry && (
          <Button size="s" busy={busy} onClick={onRetry}>
            重試
          </Button>
        )}
        {action}
      </div>
    </div>
  )
}
