// The end of this device's session begins anew: the password once more, and everything stays where it is.
import { sessionMutations } from '#data/nouns/session.ts'
import { toast } from '#screen/toast.ts'
import { ymd } from '#text/time.ts'
import { PasswordDialog, usePassword } from './PasswordDialog.tsx'

interface ProlongDialogProps {
  has_password: boolean
  ends_at: string
  onClose: () => void
}

export function ProlongDialog({ has_password, ends_at, onClose }: ProlongDialogProps) {
  const state = usePassword(async (typed) => {
    const longer = await sessionMutations.prolong().mutationFn(typed)
    toast({ title: `登入延長到 ${ymd(longer.ends_at)}`, icon: 'check' })
    onClose()
  })
  return (
    <PasswordDialog
      {...state}
      verb="延長登入"
      icon="clock"
      has_password={has_password}
      then="回來延長"
      onClose={onClose}
    >
      <p>這支裝置的登入到 {ymd(ends_at)} 為止。延長後從今天重新算起，離線資料與還沒送出的都留著。</p>
    </PasswordDialog>
  )
}
