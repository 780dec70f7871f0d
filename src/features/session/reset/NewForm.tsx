// The new password, twice. Afterwards every device signs in anew, this one too.

import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { resetPassword } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { useGo } from '#screen/go.ts'
import { isSignedIn } from '#screen/guard.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { withNewPassword } from '#text/password.ts'
import { Button } from '#ui/Button.tsx'
import { StrengthMeter } from '#ui/StrengthMeter.tsx'
import { PasswordField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from '../LoginFrame.module.css'
import { withReturnTo } from '../return-to.ts'
import { LinkOver } from './LinkOver.tsx'

export function NewForm({
  token,
  email_masked,
  return_to,
  onAskAgain,
}: {
  token: string
  email_masked: string
  return_to: string | undefined
  onAskAgain: () => void
}) {
  const { open } = useGo()
  const [over, setOver] = useState('')
  const { values, failure, busy, field, form } = useForm({
    initial: { password: '', again: '' },
    check: (typed) =>
      withNewPassword(
        fieldMessages(resetPassword.input, { token, password: typed.password }),
        'password',
        typed,
      ),
    send: async ({ password }) => {
      // it ends this device's session, too
      await sessionMutations.setNew(isSignedIn()).mutationFn({ token, password })
      toast({ title: '密碼已更新，請用新密碼登入', icon: 'check' })
      open(withReturnTo('/login', return_to), true)
    },
    refused: (error) => {
      if (error instanceof ApiError && error.code === 4100) setOver(error.text)
      const fields = error instanceof ApiError ? error.details.fields : undefined
      return fields?.['password'] ? { fields } : { text: failureText(error) }
    },
  })
  if (over) return <LinkOver text={over} onAskAgain={onAskAgain} />
  return (
    <form className={css.form} {...form}>
      <h1 tabIndex={-1}>設定新密碼</h1>
      <p className="t13 ink2">
        帳號 <b>{email_masked}</b>。完成後，所有裝置都要用新密碼重新登入。
      </p>
      <div>
        <PasswordField
          large
          label="新密碼"
          autoComplete="new-password"
          hint="8 到 72 個字元"
          {...field('password')}
        />
        <StrengthMeter password={values.password} />
      </div>
      <PasswordField large label="確認新密碼" autoComplete="new-password" {...field('again')} />
      <Refused text={failure} />
      <Button type="submit" kind="filled" size="l" wide busy={busy}>
        設定新密碼
      </Button>
    </form>
  )
}
