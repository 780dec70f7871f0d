/* Asks before typed text is left behind: in-app navigation here, closing the tab by the browser's own question. */
import { useBlocker } from '@tanstack/react-router'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

const tabOf = (search: unknown) => (search as { tab?: string }).tab

/** `armed` while there is something to lose; `tabs` asks also when only ?tab= changes. */
export function LeaveForm({ armed, tabs = false }: { armed: () => boolean; tabs?: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      armed() &&
      (current.pathname !== next.pathname || (tabs && tabOf(current.search) !== tabOf(next.search))),
    enableBeforeUnload: armed,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title="放棄還沒送出的內容？"
      icon="warning"
      actions={
        <>
          <Button firstFocus onClick={blocker.reset}>
            繼續填寫
          </Button>
          <Button kind="danger" icon="trash" onClick={blocker.proceed}>
            放棄內容
          </Button>
        </>
      }
    >
      這一頁填的內容還沒送到伺服器，離開後就沒有了。
    </Dialog>
  )
}
