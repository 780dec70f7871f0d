// Registering: the account is the e-mail (spec §5); afterwards one is still signed out (spec §4).

import { fieldMessages } from '#contract/field-messages.ts'
import { register } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { MAIL_IN_FOLDER } from '#text/account.ts'
import { withNewPassword } from '#text/password.ts'
import { REGISTER } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { StrengthMeter } from '#ui/StrengthMeter.tsx'
import { PasswordField, TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './LoginFrame.module.css'
import { registerRefusal } from './refusal.ts'

const EMPTY = { name: '', email: '', password: '', again: '' }

/** The invitation whose link led here: its code proves the mailbox, and one password is enough (ruling C44). */
export interface Invited {
  code: string
  email: string
}

/** Every message at once: the contract's bounds, the common passwords, the repetition. */
function check({ again, ...rest }: typeof EMPTY): Record<string, string> {
  const found = fieldMessages(register.input, { ...rest, account: rest.email })
  return withNewPassword(found, 'password', { ...rest, again })
}

export function RegisterForm({
  invited,
  onRegistered,
}: {
  invited: Invited | null
  /** `has_account`: the address had one already, which only the holder of its invitation is told. */
  onRegistered: (email: string, password: string, has_account: boolean) => void
}) {
  const { values, failure, busy, field, form } = useForm({
    initial: { ...EMPTY, email: invited?.email ?? '' },
    check: (typed) => check(invited ? { ...typed, again: typed.password } : typed),
    send: async ({ again: _again, ...rest }) => {
      const invite_code = invited ? { invite_code: invited.code } : {}
      const { has_account, in_folder } = await sessionMutations
        .register()
        .mutationFn({ ...rest, ...invite_code, account: rest.email })
      if (has_account) toast({ title: '你已有帳號，請登入', icon: 'info' })
      else {
        // an invited address needs no mail any more
        const description = in_folder && !invited ? `${MAIL_IN_FOLDER}。` : undefined
        toast({ title: REGISTER.done, icon: 'check', ...(description && { description }) })
      }
      onRegistered(rest.email.trim(), rest.password, has_account)
    },
    refused: (error) => {
      const { title, text, fields } = registerRefusal(error)
      toast({ title, description: text, variant: 'destructive' })
      return { fields, text }
    },
  })
  return (
    <form className={css.form} {...form}>
      <TextField large label="姓名" autoComplete="name" {...field('name')} />
      <TextField
        large
        label="電子郵件"
        type="email"
        inputMode="email"
        autoComplete="email"
        placeholder="name@example.com"
        hint={invited ? '邀請寄到這個信箱，不必再驗證' : '這就是你的帳號'}
        readOnly={invited !== null}
        {...field('email')}
      />
      <div>
        <PasswordField
          large
          label="密碼"
          autoComplete="new-password"
          hint="8 到 72 個字元"
          {...field('password')}
        />
        <StrengthMeter password={values.password} />
      </div>
      {!invited && <PasswordField large label="確認密碼" autoComplete="new-password" {...field('again')} />}
      <Refused text={failure} />
      <Button type="submit" kind="filled" size="l" wide busy={busy}>
        建立帳號
      </Button>
    </form>
  )
}
