/* A name and a second line under it; a link where it leads somewhere. */
import type { ReactNode } from 'react'
import { cx, opens } from '#ui/open.ts'
import css from './TwoLines.module.css'

/** `children` a `b` and a `small`; `className` for its place in the row. */
export type TwoLinesProps = {
  children: ReactNode
  className?: string | undefined
  link?: { href: string; onOpen: () => void }
}

export function TwoLines({ children, className, link }: TwoLinesProps) {
  const classes = cx(css.root, className)
  if (!link) return <span className={classes}>{children}</span>
  return (
    <a className={classes} href={link.href} onClick={opens(link.onOpen)}>
      {children}
    </a>
  )
}
