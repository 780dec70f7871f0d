// The error list at the top right: at most three at once, each for five seconds, and how many are not shown (spec §8).
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ERROR_LIST_VISIBLE, TOAST_MS } from '#contract/limits.ts'
import { dismissError, type ErrorItem, errors } from '#state/app.ts'
import { ERROR_TITLES, MORE_ERRORS } from '#text/spec.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import css from './ErrorList.module.css'

export function ErrorList() {
  const { items } = useSnapshot(errors)
  const [held, setHeld] = useState(false)
  const hidden = items.length - ERROR_LIST_VISIBLE
  return (
    <div
      className={css.root}
      role="log"
      aria-label="錯誤"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {items.slice(0, ERROR_LIST_VISIBLE).map((item) => (
        <Line key={item.id} item={item} held={held} />
      ))}
      {hidden > 0 && <p className={`${css.more} t13`}>{MORE_ERRORS(hidden)}</p>}
    </div>
  )
}

const INK: Record<ErrorItem['severity'], string> = {
  info: 'ink2',
  warning: 'warn-ink',
  error: 'danger-ink',
  critical: 'danger-ink',
}

function Line({ item, held }: { item: ErrorItem; held: boolean }) {
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissError(item.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [item.id, held])
  return (
    <div className={css.err}>
      <Icon
        name={item.severity === 'info' ? 'info' : 'warning'}
        size={20}
        className={cx(css.icon, INK[item.severity])}
      />
      <div className="sp">
        <b>{ERROR_TITLES[item.type]}</b>
        <p>{item.message}</p>
      </div>
      <IconButton icon="close" label="關閉" size={18} onClick={() => dismissError(item.id)} />
    </div>
  )
}
