/* What sheet and dialog share: the platform's modal dialog, which traps focus, closes by Esc and by the back gesture, and gives focus back. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import css from './Modal.module.css'
import { cx } from './open.ts'
import { isMeantOpen, openAgain, openedOverAll } from './over.ts'
import { useRootMark } from './root-mark.ts'

/** Mounted only while `open`. `onClose` is asked by Esc, the back gesture and, unless `sticky`, a press beside it. `labelId` names it and gets the first focus when nothing inside has data-autofocus. */
export type ModalProps = {
  open: boolean
  onClose: () => void
  labelId: string
  className: string | undefined
  children: ReactNode
  sticky?: boolean
}

export function Modal(props: ModalProps) {
  return props.open ? <Opened {...props} /> : null
}

function Opened({ onClose, labelId, className, children, sticky }: ModalProps) {
  const box = useRef<HTMLDialogElement>(null)
  useRootMark('modal')
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const from = document.activeElement
    node.showModal()
    const first = node.querySelector<HTMLElement>('[data-autofocus]') ?? document.getElementById(labelId)
    first?.focus({ preventScroll: true })
    // runs before the node leaves the page, so that the browser can give the focus back
    return openedOverAll(node, from)
  }, [labelId])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press beside the box is a shortcut for Esc, which the platform handles
    <dialog
      ref={box}
      className={cx(css.root, className)}
      aria-labelledby={labelId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={(event) => {
        // Esc or the gesture for the second time: the browser closes without having asked, also what lies below
        if (event.target !== event.currentTarget || event.currentTarget.open) return
        // what we closed ourselves says so a moment later: it left the page, or waits for code that is still to come
        if (!isMeantOpen(event.currentTarget)) return
        openAgain(event.currentTarget)
        onClose()
      }}
      onClick={(event) => {
        if (!sticky && event.target === event.currentTarget) onClose()
      }}
    >
      <div className={css.inside}>{children}</div>
    </dialog>
  )
}
