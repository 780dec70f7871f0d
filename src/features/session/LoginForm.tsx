// Signing in: two fields, the refusal in the words of spec §8 as a toast and under the form.

import { useEffect, useRef } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { login } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { signInWith } from '#screen/sign-in.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { opens } from '#ui/open.ts'
import { PasswordField } from '#ui/PasswordField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './LoginFrame.module.css'
import { loginRefusal } from './refusal.ts'

/** `account` survives the change of tabs; `password` stands there after registering, for one press; `go_to` a safe path. */
export function LoginForm({
  account,
  password,
  onAccount,
  go_to,
}: {
  account: string
  password: string
  onAccount: (account: string) => void
  go_to: string
}) {
  const { open } = useGo()
  const { values, failure, busy, field, form } = useForm({
    initial: { account, password },
    check: (typed) => fieldMessages(login.input, typed),
    send: async (typed) => {
      await signInWith(
        () => sessionMutations.login().mutationFn(typed),
        (error) => loginRefusal(error).text,
      )
      open(go_to, true)
    },
    refused: (error) => {
      const { title, text } = loginRefusal(error)
      toast({ title, description: text, variant: 'destructive' })
      return { text }
    },
  })
  const account_field = field('account')
  const filled = useRef(password !== '')
  const box = useRef<HTMLFormElement>(null)
  // the form of registering is gone, and the focus with it: the one press that is left is Enter's, too
  useEffect(() => {
    if (filled.current) box.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [])
  return (
    <form ref={box} className={css.form} {...form}>
      <TextField
        large
        label="帳號"
        type="email"
        inputMode="email"
        autoComplete="username"
        placeholder="name@example.com"
        {...account_field}
        name="username"
        onChange={(value) => {
          onAccount(value)
          account_field.onChange(value)
        }}
      />
      <PasswordField
        large
        label="密碼"
        autoComplete="current-password"
        action={
          <a
            className={css.link}
            href="/reset-password"
            onClick={opens(() =>
              open(`/reset-password?${new URLSearchParams({ email: values.account.trim() })}`),
            )}
          >
            忘記密碼
          </a>
        }
        {...field('password')}
      />
      <Refused text={failure} />
      <Button type="submit" kind="filled" size="l" wide busy={busy}>
        登入
      </Button>
    </form>
  )
}
