// Signing in: two fields, the refusal in the words of spec §8 as a toast and under the form.
import { type FormEvent, useRef, useState } from 'react'
import { login } from '#contract/session.ts'
import { useData } from '#features/shell/data.tsx'
import { useGo } from '#features/shell/go.ts'
import { signInWith } from '#features/shell/sign-in.ts'
import { toast } from '#features/shell/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { PasswordField } from '#ui/PasswordField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { fieldErrors, focusFirstError } from './field-errors.ts'
import { loginRefusal } from './refusal.ts'

/** `account` survives the change of tabs; `go_to` a safe path. */
export function LoginForm({
  account,
  onAccount,
  go_to,
}: {
  account: string
  onAccount: (account: string) => void
  go_to: string
}) {
  const data = useData()
  const { open } = useGo()
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const found = fieldErrors(login.input, { account, password })
    setErrors(found)
    setRefusal('')
    if (Object.keys(found).length > 0) return focusFirstError(form.current)
    setBusy(true)
    try {
      await signInWith(
        () => data.client.call(login, { account, password }),
        (error) => loginRefusal(error).text,
      )
      open(go_to, true)
    } catch (error) {
      const { title, text } = loginRefusal(error)
      setRefusal(text)
      toast({ title, description: text, variant: 'destructive' })
      setBusy(false)
    }
  }
  const clear = (name: string) => setErrors(({ [name]: _gone, ...rest }) => rest)
  return (
    <form ref={form} className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="帳號"
        type="email"
        name="username"
        inputMode="email"
        autoComplete="username"
        placeholder="name@example.com"
        value={account}
        error={errors['account']}
        onChange={(value) => {
          onAccount(value)
          clear('account')
        }}
      />
      <PasswordField
        label="密碼"
        name="password"
        autoComplete="current-password"
        action={
          <a
            className="login-link"
            href="/reset-password"
            onClick={opens(() => open(`/reset-password?${new URLSearchParams({ email: account.trim() })}`))}
          >
            忘記密碼
          </a>
        }
        value={password}
        error={errors['password']}
        onChange={(value) => {
          setPassword(value)
          clear('password')
        }}
      />
      <p className="login-refusal" role="alert">
        {refusal && (
          <>
            <Icon name="warning" size={16} />
            {refusal}
          </>
        )}
      </p>
      <Button type="submit" kind="filled" size="l" wide busy={busy}>
        登入
      </Button>
    </form>
  )
}
