// ?: the keys of the shell, in words. The shell listens through this part, so that the list and the keys are one.
import { lazy, Suspense, useState } from 'react'
import { useKeys } from '#screen/keys.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'

const KeyList = lazy(() => import('#screen/KeyList.tsx').then(({ KeyList }) => ({ default: KeyList })))
const KeySwitch = lazy(() => import('#screen/KeyList.tsx').then(({ KeySwitch }) => ({ default: KeySwitch })))

export function KeyHelp() {
  const [open, setOpen] = useState(false)
  useKeys(() => setOpen(true))
  const close = () => setOpen(false)
  return (
    <Dialog
      open={open}
      onClose={close}
      title="鍵盤快速鍵"
      actions={
        <Button kind="filled" firstFocus onClick={close}>
          知道了
        </Button>
      }
    >
      {open && (
        <Suspense fallback={null}>
          <KeyList />
          <KeySwitch />
        </Suspense>
      )}
    </Dialog>
  )
}
