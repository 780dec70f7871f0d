/* Bottom sheet on phones, right drawer on wider screens. */
import { type PointerEvent, type ReactNode, useId, useState } from 'react'
import { dragDown } from './drag-down.ts'
import { IconButton } from './IconButton.tsx'
import { Modal } from './Modal.tsx'
import { cx } from './open.ts'
import css from './overlays.module.css'

/** `foot` stays in sight under the scrolling body (the main action). `sticky` keeps it open on a press beside it (unsent input). `tall` takes its full height from the start: for a body that is still on its way. */
export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  subtitle?: ReactNode
  children: ReactNode
  foot?: ReactNode
  sticky?: boolean
  tall?: boolean
  /** On a desktop as wide as the page: what is read beside what is set. */
  wide?: boolean
  /** At most two lines of title: a long name must not push the body out of sight. */
  clamped?: boolean
}

export function Sheet({
  open,
  onClose,
  title,
  subtitle,
  children,
  foot,
  sticky = false,
  tall = false,
  wide = false,
  clamped = false,
}: SheetProps) {
  const id = useId()
  const [still] = useState(isGlanced)
  const drag = (event: PointerEvent<HTMLElement>) => dragDown(event, sticky, onClose)
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelId={id}
      className={cx(
        css.Sheet,
        tall && css.SheetTall,
        wide && css.SheetWide,
        clamped && css.SheetClamped,
        still && css.SheetStill,
      )}
      sticky={sticky}
    >
      <div className={css.SheetHead} onPointerDown={drag}>
        <div className={css.SheetGrab} aria-hidden="true" />
        <div className="sp">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {subtitle && <p className="t13 ink3">{subtitle}</p>}
        </div>
        <IconButton icon="close" label="關閉" size={22} large onClick={onClose} />
      </div>
      <div className={css.SheetBody} data-sheet-part="body">
        {children}
      </div>
      {foot && (
        <footer className={css.SheetFoot} data-sheet-part="foot">
          {foot}
        </footer>
      )}
    </Modal>
  )
}

/** Whether the first page is still the one of before the application, with the sheet already in it (src/glance): it does not rise twice. */
const isGlanced = () => document.getElementById('boot') !== null
