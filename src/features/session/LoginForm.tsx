// Signing in: two fields, the refusal in the words of spec §8 as a toast and under the form.

import { useEffect, useRef } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { login } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { signInWith } from '#screen/session.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { opens } from '#ui/open.ts'
import { PasswordField, TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './LoginFrame.module.css'
import { loginRefusal } from './refusal.ts'
import { safeReturnTo, withReturnTo } from './return-to.ts'

/** `account` survives the change of tabs; `password` stands there after registering, for one press; `known`: it was there before somebody registered it; `return_to` not yet trusted. */
export function LoginForm({
  account,
  password,
  known,
  onAccount,
  return_to,
}: {
  account: string
  password: string
  known: boolean
  onAccount: (account: string) => void
  return_to: string | undefined
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
      open(safeReturnTo(return_to) ?? '/dashboard', true)
    },
    refused: (error) => {
      const { title, text } = loginRefusal(error)
      toast({ title, description: text, variant: 'destructive' })
      return { text }
    },
  })
  const account_field = field('account')
  const left = useRef(known ? '[autocomplete=current-password]' : password && '[type=submit]')
  const box = useRef<HTMLFormElement>(null)
  // the form of registering is gone, and the focus with it: on to what is left, a password or the one press
  useEffect(() => {
    if (left.current) box.current?.querySelector<HTMLElement>(left.current)?.focus()
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
        hint={known ? '你已有帳號，請用它的密碼登入' : undefined}
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
            href={withReturnTo('/reset-password', return_to)}
            onClick={opens(() =>
              open(withReturnTo('/reset-password', return_to, { email: values.account.trim() })),
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
