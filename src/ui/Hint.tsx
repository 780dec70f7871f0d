/* The line under a field: what helps, or what is wrong. */
import type { ComponentProps } from 'react'
import css from './Hint.module.css'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'

/** As the platform's paragraph; `error` in the colour of what is wrong, with `sign` its sign before it. */
export type HintProps = ComponentProps<'p'> & { error?: boolean; sign?: boolean }

export function Hint({ error = false, sign = false, className, children, ...line }: HintProps) {
  return (
    <p {...line} className={cx(css.root, error && css.error, className)}>
      {sign ? (
        <>
          <Icon name="warning" size={16} className={css.sign} />
          <span>{children}</span>
        </>
      ) : (
        children
      )}
    </p>
  )
}
