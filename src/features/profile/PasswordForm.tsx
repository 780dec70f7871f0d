// The new password with the old one beside it (where there is one), the same in the profile and where it is forced.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { ApiError } from '#contract/errors.ts'
import { updatePassword } from '#contract/session.ts'
import { profileQueries } from '#data/profile.ts'
import { useData } from '#features/shell/data.tsx'
import { toast } from '#features/shell/toast.ts'
import { failureText } from '#text/errors.ts'
import { PasswordField } from '#ui/PasswordField.tsx'
import { StrengthMeter } from '#ui/StrengthMeter.tsx'
import { fieldMessages } from './field-messages.ts'
import { putProfile } from './put.ts'

const EMPTY = { old_password: '', new_password: '', again: '' }
type Values = typeof EMPTY

function check(values: Values, has_password: boolean): Record<string, string> {
  const { again, ...rest } = values
  const { old_password, ...first } = rest
  const found = fieldMessages(updatePassword.input, has_password ? rest : first)
  if (!found['new_password'] && isCommon(rest.new_password)) found['new_password'] = TOO_COMMON
  else if (!found['new_password'] && has_password && old_password === rest.new_password)
    found['new_password'] = '新密碼不能和目前的一樣'
  if (!again) found['again'] = '請再輸入一次密碼'
  else if (again !== rest.new_password) found['again'] = '兩次輸入的密碼不一樣'
  return found
}

/** `id` ties the button that sends it, `onBusy` follows the call; `onDone` after the new password stands. */
export function PasswordForm({
  id,
  has_password,
  onBusy,
  onDone,
}: {
  id: string
  has_password: boolean
  onBusy: (busy: boolean) => void
  onDone: () => void
}) {
  const data = useData()
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const save = useMutation({
    mutationFn: ({ old_password, new_password }: Values) =>
      data.client.call(updatePassword, { new_password, ...(has_password && { old_password }) }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: () => {
      putProfile(data, { has_password: true, need_force_update_password: false })
      void data.query.invalidateQueries({ queryKey: profileQueries.sessions().queryKey })
      toast({ title: '密碼已更新', description: '其他裝置都已登出。', icon: 'check' })
      onDone()
    },
    onError: (error) => {
      const text = failureText(error)
      const fields = error instanceof ApiError ? error.details.fields : undefined
      setErrors(fields ?? { [has_password ? 'old_password' : 'new_password']: text })
      toast({ title: '密碼沒有更新', description: text, variant: 'destructive' })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = check(values, has_password)
    setErrors(found)
    if (Object.keys(found).length === 0 && !save.isPending) save.mutate(values)
  }
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    },
  })
  return (
    <form id={id} className="profile-form" onSubmit={submit} noValidate>
      {has_password && (
        <PasswordField label="目前的密碼" autoComplete="current-password" {...field('old_password')} />
      )}
      <div>
        <PasswordField
          label="新密碼"
          autoComplete="new-password"
          hint="8 到 72 個字元"
          {...field('new_password')}
        />
        <StrengthMeter password={values.new_password} />
      </div>
      <PasswordField label="確認新密碼" autoComplete="new-password" {...field('again')} />
    </form>
  )
}
