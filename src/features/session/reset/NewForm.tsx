// The new password, twice. Afterwards every device signs in anew, this one too.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { ApiError } from '#contract/errors.ts'
import { resetPassword } from '#contract/session.ts'
import { useData } from '#features/shell/data.tsx'
import { useGo } from '#features/shell/go.ts'
import { isSignedIn } from '#features/shell/guard.ts'
import { toast } from '#features/shell/toast.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { StrengthMeter } from '#ui/StrengthMeter.tsx'
import { fieldErrors, focusFirstError } from '../field-errors.ts'
import { LinkOver } from './LinkOver.tsx'

export function NewForm({
  token,
  email_masked,
  onAskAgain,
}: {
  token: string
  email_masked: string
  onAskAgain: () => void
}) {
  const data = useData()
  const { open } = useGo()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState({ password: '', again: '' })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const save = useMutation({
    mutationFn: (password: string) => data.client.call(resetPassword, { token, password }),
    onSuccess: async () => {
      toast({ title: '密碼已更新，請用新密碼登入', icon: 'check' })
      // the reset ended this device's session, too
      if (isSignedIn()) await data.signOut({ over: true })
      open('/login', true)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.details.fields) setErrors(error.details.fields)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const { password, again } = values
    const found = fieldErrors(resetPassword.input, { token, password })
    if (!found['password'] && isCommon(password)) found['password'] = TOO_COMMON
    if (!again) found['again'] = '請再輸入一次密碼'
    else if (again !== password) found['again'] = '兩次輸入的密碼不一樣'
    setErrors(found)
    if (Object.keys(found).length > 0) return focusFirstError(form.current)
    if (!save.isPending) save.mutate(password)
  }
  const field = (name: 'password' | 'again') => ({
    name,
    value: values[name],
    error: errors[name],
    autoComplete: 'new-password' as const,
    onChange: (value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    },
  })
  const { error } = save
  if (error instanceof ApiError && error.code === 4100)
    return <LinkOver text={error.text} onAskAgain={onAskAgain} />
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
      <h1 tabIndex={-1}>設定新密碼</h1>
      <p className="t13 ink2">
        帳號 <b>{email_masked}</b>。完成後，所有裝置都要用新密碼重新登入。
      </p>
      <div>
        <PasswordField label="新密碼" hint="8 到 72 個字元" {...field('password')} />
        <StrengthMeter password={values.password} />
      </div>
      <PasswordField label="確認新密碼" {...field('again')} />
      <p className="login-refusal" role="alert">
        {error && Object.keys(errors).length === 0 && (
          <>
            <Icon name="warning" size={16} />
            {failureText(error)}
          </>
        )}
      </p>
      <Button type="submit" kind="filled" size="l" wide busy={save.isPending}>
        設定新密碼
      </Button>
    </form>
  )
}
