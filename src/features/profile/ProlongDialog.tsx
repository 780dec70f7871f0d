// The end of this device's session begins anew: the password once more, and everything stays where it is.
import { useId } from 'react'
import { ApiError } from '#contract/errors.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { ymd } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { useForm } from '#ui/use-form.ts'

interface ProlongDialogProps {
  has_password: boolean
  ends_at: string
  onClose: () => void
}

export function ProlongDialog({ has_password, ends_at, onClose }: ProlongDialogProps) {
  const id = useId()
  const { values, failure, busy, field, form } = useForm({
    initial: { password: '' },
    check: ({ password }): Record<string, string> => (password === '' ? { password: '請輸入密碼' } : {}),
    send: async (typed) => {
      const longer = await sessionMutations.prolong().mutationFn(typed)
      toast({ title: `登入延長到 ${ymd(longer.ends_at)}`, icon: 'check' })
      onClose()
    },
    refused: (error) => {
      const text = failureText(error)
      if (!(error instanceof ApiError)) return { text }
      return { fields: { password: error.details.fields?.['password'] ?? text } }
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.password !== ''}
      title="延長登入"
      icon="clock"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          {has_password && (
            <Button kind="filled" type="submit" form={id} busy={busy}>
              延長登入
            </Button>
          )}
        </>
      }
    >
      {has_password ? (
        <form id={id} className="stack" {...form}>
          <p>這支裝置的登入到 {ymd(ends_at)} 為止。延長後從今天重新算起，離線資料與還沒送出的都留著。</p>
          <PasswordField label="目前的密碼" autoComplete="current-password" {...field('password')} />
          <Refused text={failure} />
        </form>
      ) : (
        <p>這個帳號還沒有密碼。請先在「密碼」設定一個，再回來延長。</p>
      )}
    </Dialog>
  )
}
