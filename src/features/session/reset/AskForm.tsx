// Asking for a link: the same answer whoever asks, so the words promise a mail only to those who have an account.

import { useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { RESET_LIFE_S } from '#contract/limits.ts'
import { forgetPassword } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { MAIL_IN_FOLDER } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { FORGOT } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from '../LoginFrame.module.css'
import { isNetwork } from '../refusal.ts'

/** `email` as it was typed on the way here; `return_to` goes along in the mail. */
export function AskForm({ email: typed, return_to }: { email: string; return_to: string | undefined }) {
  const [email, setEmail] = useState(typed)
  // how the last mail went out; null: none did yet
  const [sent, setSent] = useState<{ in_folder: boolean } | null>(null)
  const { failure, busy, field, form } = useForm({
    initial: { email },
    check: (values) => fieldMessages(forgetPassword.input, values),
    send: async (values, reset) => {
      const went = await sessionMutations.forgot().mutationFn({ ...values, ...(return_to && { return_to }) })
      setEmail(values.email)
      setSent(went)
      reset()
    },
    refused: (error) => {
      // no answer at all has words of its own; everything else is said as the specification says it
      const text = isNetwork(error) ? failureText(error) : FORGOT.later
      toast({ title: FORGOT.failed, description: text, variant: 'destructive' })
      return { text }
    },
  })
  if (sent)
    return (
      <div className={css.form}>
        <h1 tabIndex={-1}>{sent.in_folder ? '信在伺服器上' : '請看信箱'}</h1>
        <div className={css.done} role="status">
          <p>
            如果 <b>{email.trim()}</b> 有凌波帳號，設定新密碼的連結已經{sent.in_folder ? '寫好' : '寄出'}，
            {RESET_LIFE_S / 60} 分鐘內有效。
          </p>
          <p className="t13 ink3">
            {sent.in_folder
              ? `${MAIL_IN_FOLDER}，請向管理伺服器的人要連結。`
              : '幾分鐘後還沒收到，請找找垃圾郵件，或確認電子郵件有沒有打錯。'}
          </p>
        </div>
        <Button size="l" wide onClick={() => setSent(null)}>
          {sent.in_folder ? '換一個信箱，或再寫一次' : '換一個信箱，或再寄一次'}
        </Button>
      </div>
    )
  return (
    <form className={css.form} {...form}>
      <h1 tabIndex={-1}>重設密碼</h1>
      <p className="t13 ink2">輸入帳號的電子郵件，用信裡的連結設定新密碼。</p>
      <TextField
        large
        label="電子郵件"
        type="email"
        inputMode="email"
        autoComplete="username"
        placeholder="name@example.com"
        {...field('email')}
        name="username"
      />
      <Refused text={failure} />
      <Button type="submit" kind="filled" size="l" wide busy={busy}>
        寄出重設連結
      </Button>
    </form>
  )
}
