/* A question in the middle of the screen: says what happens, then the verbs. */
import { type ReactNode, useId } from 'react'
import css from './Dialog.module.css'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import { Modal } from './Modal.tsx'
import { cx } from './open.ts'

/** `actions` at the right (the safe one first, with firstFocus), `aside` at their left (改用封存). `danger` colours the icon. */
export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  actions: ReactNode
  aside?: ReactNode
  icon?: IconName
  danger?: boolean
  sticky?: boolean
}

export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  aside,
  icon,
  danger,
  sticky = false,
}: DialogProps) {
  const id = useId()
  return (
    <Modal open={open} onClose={onClose} labelId={id} className={css.root} sticky={sticky}>
      <h2 id={id} tabIndex={-1}>
        {icon && <Icon name={icon} className={cx(css.sign, danger && css.danger)} />}
        {title}
      </h2>
      <div className={css.body}>{children}</div>
      <footer className={css.foot}>
        {aside}
        <span className="sp" />
        {actions}
      </footer>
    </Modal>
  )
}
