/* A row of a setting that opens, with the switch that stands beside what it says. */
import type { ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import css from './SwitchRow.module.css'

/** `onOpen` absent: nothing opens. `before` stands at the left, `verb` before the arrow, `control` beside all of it. */
export type SwitchRowProps = {
  name: ReactNode
  note: ReactNode
  before?: ReactNode
  verb?: ReactNode
  control?: ReactNode
  onOpen?: (() => void) | undefined
  /** With more room above and below. */
  tall?: boolean
}

export function SwitchRow({ name, note, before, verb, control, onOpen, tall = false }: SwitchRowProps) {
  const main = cx(css.main, tall && css.tall)
  const said = (
    <>
      {before}
      <span className={css.words}>
        {name}
        {note}
      </span>
    </>
  )
  return (
    <li className={css.row}>
      {onOpen ? (
        <button type="button" className={main} aria-haspopup="dialog" onClick={onOpen}>
          {said}
          {verb && <span className={css.verb}>{verb}</span>}
          <Icon name="chevron-right" size={16} className="ink3" />
        </button>
      ) : (
        <div className={main}>{said}</div>
      )}
      {control && <span className={css.key}>{control}</span>}
    </li>
  )
}
