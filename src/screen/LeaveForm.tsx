/* Asks before typed text is left behind: in-app navigation here, closing the tab by the browser's own question. */
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'

/**
 * `armed` while there is something to lose; `tabs` asks also when only ?tab= changes. `verb` throws it away; `children` what that
 * means. `keeps`: the text stays on the device, leaving loses nothing, and `verb` is offered beside. `onDrop` runs when it is thrown away.
 */
export type LeaveFormProps = {
  armed: () => boolean
  tabs?: boolean
  title: string
  verb: string
  keeps?: boolean
  onDrop?: () => void
  children: ReactNode
}

const tabOf = (search: unknown) => (search as { tab?: string }).tab

export function LeaveForm(props: LeaveFormProps) {
  const { armed, tabs = false, title, verb, keeps = false, onDrop, children } = props
  const blocker = useBlocker({
    // another search (a panel opened over the form) leaves nothing, unless a tab holds the form
    shouldBlockFn: ({ current, next }) =>
      armed() &&
      (current.pathname !== next.pathname || (tabs && tabOf(current.search) !== tabOf(next.search))),
    enableBeforeUnload: () => armed() && !keeps,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const drop = () => {
    onDrop?.()
    blocker.proceed()
  }
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title={title}
      icon="warning"
      aside={
        keeps && (
          <Button kind="ghost" onClick={drop}>
            {verb}
          </Button>
        )
      }
      actions={
        <>
          <Button firstFocus onClick={blocker.reset}>
            繼續填寫
          </Button>
          {keeps ? (
            <Button kind="filled" onClick={blocker.proceed}>
              離開
            </Button>
          ) : (
            <Button kind="danger" icon="trash" onClick={drop}>
              {verb}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  )
}
