// Registering: the account is the e-mail (spec §5); afterwards one is still signed out (spec §4).
import { type FormEvent, useRef, useState } from 'react'
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { register } from '#contract/session.ts'
import { useData } from '#features/shell/data.tsx'
import { toast } from '#features/shell/toast.ts'
import { REGISTER } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { StrengthMeter } from '#ui/StrengthMeter.tsx'
import { TextField } from '#ui/TextField.tsx'
import { fieldErrors, focusFirstError } from './field-errors.ts'
import { registerRefusal } from './refusal.ts'

const EMPTY = { name: '', email: '', password: '', again: '' }

/** Every message at once: the contract's bounds, the common passwords, the repetition. */
function check(values: typeof EMPTY): Record<string, string> {
  const { again, ...rest } = values
  const found = fieldErrors(register.input, { ...rest, account: rest.email })
  if (!found['password'] && isCommon(values.password)) found['password'] = TOO_COMMON
  if (!again) found['again'] = '請再輸入一次密碼'
  else if (again !== values.password) found['again'] = '兩次輸入的密碼不一樣'
  return found
}

export function RegisterForm({ onRegistered }: { onRegistered: (email: string) => void }) {
  const data = useData()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const found = check(values)
    setErrors(found)
    setRefusal('')
    if (Object.keys(found).length > 0) return focusFirstError(form.current)
    setBusy(true)
    try {
      const { again: _again, ...rest } = values
      await data.client.call(register, { ...rest, account: rest.email })
      toast({ title: REGISTER.done, icon: 'check' })
      onRegistered(rest.email.trim())
    } catch (error) {
      const { title, text, fields } = registerRefusal(error)
      setErrors(fields)
      setRefusal(text)
      toast({ title, description: text, variant: 'destructive' })
      setBusy(false)
    }
  }
  /** Props of one field: its value, its message, and the check when it is left. */
  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    },
    onBlur: () => {
      const message = values[name] ? check(values)[name] : undefined
      if (message) setErrors((before) => ({ ...before, [name]: message }))
    },
  })
  return (
    <form ref={form} className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <TextField label="姓名" autoComplete="name" {...field('name')} />
      <TextField
        label="電子郵件"
        type="email"
        inputMode="email"
        autoComplete="email"
        placeholder="name@example.com"
        hint="這就是你的帳號"
        {...field('email')}
      />
      <div>
        <PasswordField
          label="密碼"
          autoComplete="new-password"
          hint="8 到 72 個字元"
          {...field('password')}
        />
        <StrengthMeter password={values.password} />
      </div>
      <PasswordField label="確認密碼" autoComplete="new-password" {...field('again')} />
      <p className="login-refusal" role="alert">
        {refusal && (
          <>
            <Icon name="warning" size={16} />
            {refusal}
          </>
        )}
      </p>
      <Button type="submit" kind="filled" size="l" wide busy={busy}>
        建立帳號
      </Button>
    </form>
  )
}
