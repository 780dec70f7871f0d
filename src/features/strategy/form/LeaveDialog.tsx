/* Asks before typed text is left behind: in-app navigation here, closing the tab by the browser's own question. */
import { useBlocker } from '@tanstack/react-router'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

/** `armed` while there is something to lose. `keeps` the text stays on the device (a new strategy): leaving loses nothing, and `onDrop` offers to throw it away. */
export type LeaveDialogProps = { armed: () => boolean; keeps: boolean; onDrop: () => void }

export function LeaveDialog({ armed, keeps, onDrop }: LeaveDialogProps) {
  const blocker = useBlocker({
    // only the search changed (a panel opened over the form): nothing is left
    shouldBlockFn: ({ current, next }) => armed() && current.pathname !== next.pathname,
    enableBeforeUnload: () => armed() && !keeps,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const drop = () => {
    onDrop()
    blocker.proceed()
  }
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title={keeps ? '先離開這份表單？' : '放棄還沒儲存的修改？'}
      icon="warning"
      aside={
        keeps && (
          <Button kind="ghost" onClick={drop}>
            捨棄內容
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
              放棄修改
            </Button>
          )}
        </>
      }
    >
      {keeps
        ? '填好的內容存在這支裝置，下次打開新增策略會還在。'
        : '這一頁的修改還沒存到伺服器，離開後就沒有了。'}
    </Dialog>
  )
}
