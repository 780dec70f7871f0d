// /login: one wave, two tabs, as few fields as possible.

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { login, register } from '#contract/session.ts'
import { sessionMutations, ssoQueries } from '#data/nouns/session.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { signInWith } from '#screen/session.ts'
import { useTitle } from '#screen/title.ts'
import { toast } from '#screen/toast.ts'
import { noMail } from '#text/account.ts'
import { withNewPassword } from '#text/password.ts'
import { REGISTER } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { opens } from '#ui/open.ts'
import { Tabs } from '#ui/Segments.tsx'
import { PasswordField, StrengthMeter, TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import type { Invited } from './InviteNote.tsx'
import css from './LoginFrame.module.css'
import { LoginFrame } from './LoginFrame.tsx'
import { loginRefusal, registerRefusal } from './refusal.ts'
import { inviteIn, safeReturnTo, withReturnTo } from './return-to.ts'

// only who comes from an invitation's mail needs it
const InviteNote = lazy(() => import('./InviteNote.tsx').then(({ InviteNote }) => ({ default: InviteNote })))

/** `return_to` as it stands in the address, not yet trusted. */
export function LoginPage({ tab, return_to }: { tab: 'login' | 'register'; return_to: string | undefined }) {
  const { open } = useGo()
  // null: untouched, so that an invitation may fill it in; what somebody cleared stays cleared
  const [account, setAccount] = useState<string | null>(null)
  // only between registering and the press that signs in; gone with the page
  const [password, setPassword] = useState('')
  const [known, setKnown] = useState(false)
  const [invited, setInvited] = useState<Invited | null>(null)
  const invite = inviteIn(safeReturnTo(return_to))
  useTitle(tab === 'register' ? '註冊' : undefined)
  const href = (to: 'login' | 'register') =>
    withReturnTo('/login', return_to, to === 'register' ? { tab: to } : {})
  const tabs = [
    { value: 'login' as const, label: '登入', href: href('login') },
    { value: 'register' as const, label: '註冊', href: href('register') },
  ]
  return (
    <LoginFrame>
      <h1 className="vh" tabIndex={-1}>
        {tab === 'login' ? '登入' : '註冊'}
      </h1>
      {invite !== null && (
        <Suspense fallback={<div className={css.room} />}>
          <InviteNote code={invite} onInvited={setInvited} />
        </Suspense>
      )}
      <Tabs
        className={css.tabs}
        label="登入或註冊"
        value={tab}
        tabs={tabs}
        onOpen={(next) => open(next.href, true)}
      />
      {tab === 'login' ? (
        <LoginForm
          account={account ?? invited?.email ?? ''}
          password={password}
          known={known}
          onAccount={(typed) => {
            setAccount(typed)
            setKnown(false)
          }}
          return_to={return_to}
        />
      ) : (
        <RegisterForm
          invited={invited}
          onRegistered={(email, typed, has_account) => {
            setAccount(email)
            setKnown(has_account)
            // whoever had an account chose its password then
            setPassword(has_account ? '' : typed)
            open(href('login'), true)
          }}
        />
      )}
      {tab === 'login' && <SsoButtons return_to={safeReturnTo(return_to) ?? undefined} />}
      <p className={css.note}>
        {tab === 'login'
          ? '登入後，訊號會存在這支裝置，沒有網路也看得到。'
          : invited
            ? '註冊後按登入，就能接受邀請。'
            : '註冊後還要驗證電子郵件；完成驗證就能建立策略。'}
      </p>
    </LoginFrame>
  )
}

// Signing in: two fields, the refusal in the words of spec §8 as a toast and under the form.

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

// Registering: the account is the e-mail (spec §5); afterwards one is still signed out (spec §4).

const EMPTY = { name: '', email: '', password: '', again: '' }

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
        const description = in_folder && !invited ? `${noMail('驗證碼')}。` : undefined
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

// Other accounts to sign in with; nothing when none is configured (or it cannot be asked: the form itself says what is wrong).

/** `return_to` is judged again by the server before anybody is sent there. */
export function SsoButtons({ return_to }: { return_to: string | undefined }) {
  const { data: providers = [] } = useQuery(ssoQueries.providers())
  if (providers.length === 0) return null
  const query = return_to ? `?${new URLSearchParams({ return_to })}` : ''
  return (
    <div className={css.SsoButtonsSso}>
      <p>或</p>
      {providers.map(({ id, name, icon }) => (
        <Button key={id} size="l" wide href={`/api/v1/sso/${id}/start${query}`}>
          {icon && <img src={icon} alt="" width={20} height={20} />}以 {name} 登入
        </Button>
      ))}
    </div>
  )
}
