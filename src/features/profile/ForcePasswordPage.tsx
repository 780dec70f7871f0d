// A new password before anything else: what a person sees whose profile says need_force_update_password.
import { useId, useState } from 'react'
import { getData } from '#data/current.ts'
import { useProfile } from '#screen/profile.ts'
import { signOut } from '#screen/session.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { PasswordForm } from './PasswordForm.tsx'

export function ForcePasswordPage() {
  const id = useId()
  const { profile } = useProfile()
  const [busy, setBusy] = useState(false)
  return (
    <Gate
      title="請先設定新密碼"
      actions={
        <>
          <Button kind="ghost" onClick={() => void signOut()}>
            {NAV.logout}
          </Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            更新密碼
          </Button>
        </>
      }
    >
      <p>這個帳號目前的密碼是暫時的。設定自己的密碼後，就會繼續。</p>
      <PasswordForm
        id={id}
        has_password={profile?.has_password ?? true}
        onBusy={setBusy}
        onDone={() => {
          setBusy(false)
          // what the server refused until now is asked for at once
          void getData().refresh()
        }}
      />
    </Gate>
  )
}
