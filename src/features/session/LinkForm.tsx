// The address has an account already: its password confirms that both are the same person.
import { type FormEvent, useRef, useState } from 'react'
import { useGo } from '#features/shell/go.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { focusFirstError } from './field-errors.ts'
import { loginRefusal } from './refusal.ts'

/** `onSubmit` throws what the server refuses. */
export function LinkForm({ onSubmit }: { onSubmit: (password: string) => Promise<void> }) {
  const { go } = useGo()
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const missing = password === '' ? '請輸入密碼' : ''
    setError(missing)
    if (missing) return focusFirstError(form.current)
    setBusy(true)
    try {
      await onSubmit(password)
    } catch (refused) {
      setError(loginRefusal(refused).text)
      setBusy(false)
      focusFirstError(form.current)
    }
  }
  return (
    <Gate
      title="這個電子郵件已經有凌波帳號"
      actions={
        <>
          <Button {...go('/login')}>取消</Button>
          <Button kind="filled" type="submit" form="link-form" busy={busy}>
            連結並登入
          </Button>
        </>
      }
    >
      <p>請輸入凌波的密碼，確認是你本人。之後就能直接用這個方式登入，原本的密碼也照常可用。</p>
      <form
        id="link-form"
        ref={form}
        className="link-form"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <PasswordField
          label="凌波的密碼"
          name="password"
          autoComplete="current-password"
          value={password}
          error={error || undefined}
          onChange={(value) => {
            setPassword(value)
            setError('')
          }}
        />
      </form>
      <p>
        <Button size="s" kind="ghost" {...go('/reset-password')}>
          忘記密碼，或從未設定過
        </Button>
      </p>
    </Gate>
  )
}
