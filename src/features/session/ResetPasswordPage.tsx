// /reset-password: without a link from a mail it sends one, with one it sets the new password.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { RESET_LIFE_S } from '#contract/limits.ts'
import { forgetPassword, resetPassword } from '#contract/session.ts'
import { sessionMutations, sessionQueries } from '#data/nouns/session.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { isSignedIn } from '#screen/guard.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { noMail } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { withNewPassword } from '#text/password.ts'
import { FORGOT } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { LoadingScreen } from '#ui/Skeleton.tsx'
import { PasswordField, StrengthMeter, TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './LoginFrame.module.css'
import { LoginFrame } from './LoginFrame.tsx'
import { isNetwork } from './refusal.ts'
import { withReturnTo } from './return-to.ts'

/** All as they stand in the address. */
export function ResetPasswordPage({
  token,
  email = '',
  return_to,
}: {
  token: string | undefined
  email: string | undefined
  return_to: string | undefined
}) {
  const { open } = useGo()
  const [kept, setKept] = useState(token)
  // out of the address at once: it must not stand in the history, on a shared screen, or in a copied link
  useEffect(() => {
    if (token === undefined) return
    setKept(token)
    open(withReturnTo('/reset-password', return_to), true)
  }, [token, return_to, open])
  if (kept !== undefined)
    return <NewPassword key={kept} token={kept} return_to={return_to} onAskAgain={() => setKept(undefined)} />
  return (
    <ResetFrame return_to={return_to}>
      <AskForm email={email} return_to={return_to} />
    </ResetFrame>
  )
}

// The frame of every step of a reset, with the way back.

export function ResetFrame({ return_to, children }: { return_to: string | undefined; children: ReactNode }) {
  const { open } = useGo()
  const href = withReturnTo('/login', return_to)
  return (
    <LoginFrame>
      {children}
      <p className={css.note}>
        <a className={css.link} href={href} onClick={opens(() => open(href))}>
          回到登入
        </a>
      </p>
    </LoginFrame>
  )
}

// Asking for a link: the same answer whoever asks, so the words promise a mail only to those who have an account.

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
        <h1 tabIndex={-1}>{sent.in_folder ? '這裡還不能寄信' : '請看信箱'}</h1>
        <div className={css.done} role="status">
          <p>
            如果 <b>{email.trim()}</b> 有凌波帳號，設定新密碼的連結已經{sent.in_folder ? '寫好' : '寄出'}，
            {RESET_LIFE_S / 60} 分鐘內有效。
          </p>
          <p className="t13 ink3">
            {sent.in_folder
              ? `${noMail('連結')}。`
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

// The second half: a link from the mail. Whose it is, whether it still works, and the new password.

export function NewPassword({
  token,
  return_to,
  onAskAgain,
}: {
  token: string
  return_to: string | undefined
  onAskAgain: () => void
}) {
  const { data: found, error, refetch, isFetching } = useQuery(sessionQueries.reset(token))
  // the form and the refusal are not of one height: neither is drawn before it is known which
  if (!found && !error) return <LoadingScreen title="正在檢查連結" />
  return (
    <ResetFrame return_to={return_to}>
      {found ? (
        <NewForm
          token={token}
          email_masked={found.email_masked}
          return_to={return_to}
          onAskAgain={onAskAgain}
        />
      ) : error instanceof ApiError && error.code === 4100 ? (
        <LinkOver text={error.text} onAskAgain={onAskAgain} />
      ) : (
        <div className={css.form}>
          <h1 tabIndex={-1}>設定新密碼</h1>
          <FailState title="還不知道這個連結能不能用" onRetry={() => void refetch()} busy={isFetching}>
            {failureSentence(error)}
          </FailState>
        </div>
      )}
    </ResetFrame>
  )
}

// The new password, twice. Afterwards every device signs in anew, this one too.

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

// A link that opens nothing any more: used, too old or withdrawn, and what to do instead.

/** `text` is the server's sentence. */
export function LinkOver({ text, onAskAgain }: { text: string; onAskAgain: () => void }) {
  return (
    <div className={css.form}>
      <h1 tabIndex={-1}>這個連結不能用了</h1>
      <div className={css.done} role="alert">
        <p className="row gap8">
          <Icon name="warning" size={18} />
          <span>{text}</span>
        </p>
        <p className="t13 ink3">
          重設連結只能用一次，{RESET_LIFE_S / 60} 分鐘內有效；重新寄一封就好，密碼沒有改變。
        </p>
      </div>
      <Button kind="filled" size="l" wide onClick={onAskAgain}>
        重新寄一封
      </Button>
    </div>
  )
}
