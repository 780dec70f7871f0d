/* Fields under each other. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from './Fields.module.css'

/** `legend`: they answer one question together. `close`: they are parts of one field. */
export type FieldsProps = { children: ReactNode; legend?: string; close?: boolean }

export function Fields({ children, legend, close = false }: FieldsProps) {
  const classes = cx(css.root, close && css.close)
  if (!legend) return <div className={classes}>{children}</div>
  return (
    <fieldset className={classes}>
      <legend className="t13 ink2 w6">{legend}</legend>
      {children}
    </fieldset>
  )
}
