// The shell where nobody needs to be signed in: visitors see logo, theme and 登入; the person sees the usual bars (ruling A27).

import { Outlet } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { useAskedProfile } from '#screen/profile.ts'
import { ThemeToggle, Top } from '#screen/Top.tsx'
import { auth } from '#state/session.ts'
import { Button } from '#ui/Button.tsx'
import { opens } from '#ui/open.ts'
import css from './Shell.module.css'
import { Shell } from './Shell.tsx'

export function OpenShell() {
  const { uid } = useSnapshot(auth)
  const { go, open } = useGo()
  if (uid !== null) return <Shell />
  return (
    <div className={`${css.root} ${css.visitor}`}>
      <a className={css.skip} href="#main">
        跳到內容
      </a>
      <Top logo={{ href: '/', label: '凌波，回到介紹頁', onClick: opens(() => open('/')) }}>
        <span className="sp" />
        <ThemeToggle />
        <Button kind="ghost" {...go('/login')}>
          登入
        </Button>
      </Top>
      <main id="main" className={css.inShell}>
        <Outlet />
      </main>
    </div>
  )
}

// The frame of 403 and not found: it never makes them wait. Until the profile is here, or without any, the page stands alone.

export function ToldShell() {
  const { uid } = useSnapshot(auth)
  return uid === null ? <OpenShell /> : <Person />
}

function Person() {
  const { profile } = useAskedProfile()
  if (profile) return <OpenShell />
  return (
    <main id="main">
      <Outlet />
    </main>
  )
}
