// Asking for a link: the same answer whoever asks, so the words promise a mail only to those who have an account.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { forgetPassword } from '#contract/session.ts'
import { useData } from '#features/shell/data.tsx'
import { toast } from '#features/shell/toast.ts'
import { failureText } from '#text/errors.ts'
import { FORGOT } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { TextField } from '#ui/TextField.tsx'
import { fieldErrors, focusFirstError } from '../field-errors.ts'
import { isNetwork } from '../refusal.ts'

/** `email` as it was typed on the way here. */
export function AskForm({ email: typed }: { email: string }) {
  const data = useData()
  const form = useRef<HTMLFormElement>(null)
  const [email, setEmail] = useState(typed)
  const [error, setError] = useState('')
  const ask = useMutation({
    mutationFn: (address: string) => data.client.call(forgetPassword, { email: address }),
    onError: (failure) => {
      // no answer at all has words of its own; everything else is said as the specification says it
      const text = isNetwork(failure) ? failureText(failure) : FORGOT.later
      toast({ title: FORGOT.failed, description: text, variant: 'destructive' })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = fieldErrors(forgetPassword.input, { email })['email'] ?? ''
    setError(found)
    if (found) return focusFirstError(form.current)
    if (!ask.isPending) ask.mutate(email)
  }
  if (ask.isSuccess)
    return (
      <div className="login-form">
        <h1 tabIndex={-1}>請看信箱</h1>
        <div className="login-done" role="status">
          <p>
            如果 <b>{ask.variables.trim()}</b> 有凌波帳號，設定新密碼的連結已經寄出，30 分鐘內有效。
          </p>
          <p className="t13 ink3">幾分鐘後還沒收到，請找找垃圾郵件，或確認電子郵件有沒有打錯。</p>
        </div>
        <Button size="l" wide onClick={() => ask.reset()}>
          換一個信箱，或再寄一次
        </Button>
      </div>
    )
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
      <h1 tabIndex={-1}>重設密碼</h1>
      <p className="t13 ink2">輸入帳號的電子郵件，我們會寄一個連結給你，用它設定新密碼。</p>
      <TextField
        label="電子郵件"
        type="email"
        name="username"
        inputMode="email"
        autoComplete="username"
        placeholder="name@example.com"
        value={email}
        error={error || undefined}
        onChange={(value) => {
          setEmail(value)
          setError('')
        }}
      />
      <p className="login-refusal" role="alert">
        {ask.error && (
          <>
            <Icon name="warning" size={16} />
            {isNetwork(ask.error) ? failureText(ask.error) : FORGOT.later}
          </>
        )}
      </p>
      <Button type="submit" kind="filled" size="l" wide busy={ask.isPending}>
        寄出重設連結
      </Button>
    </form>
  )
}
