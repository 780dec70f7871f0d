// 請驗證信箱: the dialog of spec §2, once in the shell.
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { verifyFirst } from '#screen/ListKeys.tsx'
import { useProfile } from '#screen/profile.ts'
import { VERIFY_FIRST } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'

export function VerifyFirst() {
  const { open } = useGo()
  const { asking } = useSnapshot(verifyFirst)
  const verified = useProfile().profile?.email_verified === true
  // A profile kept from before the verification may ask; the fresh one takes the question back.
  useEffect(() => {
    if (verified) verifyFirst.asking = false
  }, [verified])
  const close = () => {
    verifyFirst.asking = false
  }
  return (
    <Dialog
      open={asking && !verified}
      onClose={close}
      title={VERIFY_FIRST.title}
      icon="mail"
      actions={
        <>
          <Button onClick={close}>稍後</Button>
          <Button
            kind="filled"
            firstFocus
            onClick={() => {
              close()
              open('/profile?returnTo=/strategies/create&verify=1')
            }}
          >
            {VERIFY_FIRST.go}
          </Button>
        </>
      }
    >
      <p>{VERIFY_FIRST.text}</p>
    </Dialog>
  )
}
