/* Asks before typed text is left behind: in-app navigation here, closing the tab by the browser's own question. */
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { useDirtyForm } from './dirty.ts'

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

// A sheet that holds unsent input asks before it is closed: by ×, 取消, Esc, the finger, the back gesture, or by going back.

const TITLE = '放棄還沒送出的內容？'
const VERB = '放棄內容'
const WORDS = '這裡填的內容還沒送到伺服器，關閉後就沒有了。'

/** `leave` is asked to close; `question` stands in the sheet. What was sent closes by `onClose` itself. */
export function useLeaveSheet(
  holds: boolean,
  onClose: () => void,
): { leave: () => void; question: ReactNode } {
  const [asking, setAsking] = useState(false)
  const armed = useRef(false)
  armed.current = holds
  useDirtyForm(holds)
  const stay = () => setAsking(false)
  return {
    leave: () => (holds ? setAsking(true) : onClose()),
    question: (
      <>
        <LeaveForm armed={() => armed.current} tabs title={TITLE} verb={VERB}>
          {WORDS}
        </LeaveForm>
        <Dialog
          open={asking}
          onClose={stay}
          title={TITLE}
          icon="warning"
          actions={
            <>
              <Button firstFocus onClick={stay}>
                繼續填寫
              </Button>
              <Button kind="danger" icon="trash" onClick={onClose}>
                {VERB}
              </Button>
            </>
          }
        >
          {WORDS}
        </Dialog>
      </>
    ),
  }
}
