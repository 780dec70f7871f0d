// /login: one wave, two tabs, as few fields as possible.
import { lazy, Suspense, useState } from 'react'
import { useGo } from '#screen/go.ts'
import { useTitle } from '#screen/title.ts'
import { Tabs } from '#ui/Tabs.tsx'
import { LoginForm } from './LoginForm.tsx'
import css from './LoginFrame.module.css'
import { LoginFrame } from './LoginFrame.tsx'
import { type Invited, RegisterForm } from './RegisterForm.tsx'
import { inviteIn, safeReturnTo, withReturnTo } from './return-to.ts'
import { SsoButtons } from './SsoButtons.tsx'

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
