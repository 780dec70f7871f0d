// The new password with the old one beside it (where there is one), the same in the profile and where it is forced.

import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { updatePassword } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { withNewPassword } from '#text/password.ts'
import { StrengthMeter } from '#ui/StrengthMeter.tsx'
import { PasswordField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './PasswordForm.module.css'

const EMPTY = { old_password: '', new_password: '', again: '' }
type Values = typeof EMPTY

function check({ again, ...rest }: Values, has_password: boolean): Record<string, string> {
  const { old_password, ...first } = rest
  const found = fieldMessages(updatePassword.input, has_password ? rest : first)
  const all = withNewPassword(found, 'new_password', { ...rest, again })
  if (has_password && old_password === rest.new_password) all['new_password'] ??= '新密碼不能和目前的一樣'
  return all
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
  const { values, failure, field, form } = useForm({
    initial: EMPTY,
    check: (typed) => check(typed, has_password),
    send: async ({ old_password, new_password }) => {
      onBusy(true)
      const input = { new_password, ...(has_password && { old_password }) }
      await sessionMutations
        .password()
        .mutationFn(input)
        .finally(() => onBusy(false))
      toast({ title: '密碼已更新', description: '其他裝置都已登出。', icon: 'check' })
      onDone()
    },
    refused: (error) => {
      const text = failureText(error)
      toast({ title: '密碼沒有更新', description: text, variant: 'destructive' })
      if (!(error instanceof ApiError)) return { text }
      const { fields } = error.details
      return { fields: fields ?? { [has_password ? 'old_password' : 'new_password']: text } }
    },
  })
  return (
    <form id={id} className={css.form} {...form}>
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
      <Refused text={failure} />
    </form>
  )
}
