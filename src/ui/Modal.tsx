/* What sheet and dialog share: the platform's modal dialog, which traps focus, closes by Esc and by the back gesture, and gives focus back. */

import { type PointerEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { dragDown } from './drag-down.ts'
import { Icon, type IconName } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { cx } from './open.ts'
import css from './overlays.module.css'
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
      className={cx(css.Modal, className)}
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
      <div className={css.ModalInside}>{children}</div>
    </dialog>
  )
}

/* A question in the middle of the screen: says what happens, then the verbs. */

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
    <Modal open={open} onClose={onClose} labelId={id} className={css.Dialog} sticky={sticky}>
      <h2 id={id} tabIndex={-1}>
        {icon && <Icon name={icon} className={cx(css.DialogSign, danger && css.DialogDanger)} />}
        {title}
      </h2>
      <div className={css.DialogBody}>{children}</div>
      <footer className={css.DialogFoot}>
        {aside}
        <span className="sp" />
        {actions}
      </footer>
    </Modal>
  )
}

// What stands over every open dialog, too: one place in the page that the topmost dialog takes into itself. Elsewhere it would lie
// behind the dialog, and could not be pressed.

const open: HTMLDialogElement[] = []
let place: HTMLElement | undefined

function put(): void {
  if (!place) return
  const dialog = open.at(-1)
  // as a popover it lies in the top layer, whatever moves or clips the dialog around it
  place.popover = dialog ? 'manual' : null
  ;(dialog ?? document.body).append(place)
  // a browser without popovers shows it as a part of the dialog
  if (dialog && 'showPopover' in place) place.showPopover()
}

/** The place itself, made when it is first asked for; `data-over-all` for whoever asks what else stands over the page. */
export function placeOverAll(class_name: string): HTMLElement {
  if (!place) {
    place = document.createElement('div')
    place.className = class_name
    place.dataset['overAll'] = ''
    put()
  }
  return place
}

/**
 * A dialog has opened over all others, `from` where the focus was; gives what closes it, to be called while it is still in the page.
 */
export function openedOverAll(dialog: HTMLDialogElement, from: Element | null): () => void {
  open.push(dialog)
  put()
  return () => {
    // a question in it goes first: each gives the focus back to where it was opened from, and a closed one would be too late
    const going = open.filter((one) => dialog.contains(one)).reverse()
    for (const one of going) open.splice(open.indexOf(one), 1)
    put()
    for (const one of going) one.close()
    // the browser gives it back by itself, but not once it has closed and we have opened again
    const active = document.activeElement
    const isLost = active === document.body || dialog.contains(active)
    if (isLost && from instanceof HTMLElement) from.focus({ preventScroll: true })
  }
}

/** Nobody of ours has closed it. */
export function isMeantOpen(dialog: HTMLDialogElement): boolean {
  return open.includes(dialog)
}

/** A dialog that the browser has closed by itself is open again, under those that have opened over it. */
export function openAgain(dialog: HTMLDialogElement): void {
  for (const one of open.slice(open.indexOf(dialog))) {
    one.close()
    one.showModal()
    one.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }
  put()
}

/* Bottom sheet on phones, right drawer on wider screens. */

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
