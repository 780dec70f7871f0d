// The shell where nobody needs to be signed in: visitors see logo, theme and 登入; the person sees the usual bars (ruling A27).
import { Outlet } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { auth } from '#state/session.ts'
import { Button } from '#ui/Button.tsx'
import { Mark } from '#ui/Mark.tsx'
import { opens } from '#ui/open.ts'
import { Shell } from './Shell.tsx'
import '#screen/top.css'
import { ThemeToggle } from '#screen/ThemeToggle.tsx'
import css from './Shell.module.css'

export function OpenShell() {
  const { uid } = useSnapshot(auth)
  const { go, open } = useGo()
  if (uid !== null) return <Shell />
  return (
    <div className={`${css.root} ${css.visitor}`}>
      <a className={css.skip} href="#main">
        跳到內容
      </a>
      <header className="top">
        <div>
          <a className="logo" href="/" onClick={opens(() => open('/'))} aria-label="凌波，回到介紹頁">
            <Mark size={28} />
            凌波
          </a>
          <span className="sp" />
          <ThemeToggle />
          <Button kind="ghost" {...go('/login')}>
            登入
          </Button>
        </div>
      </header>
      <main id="main" className={css.inShell}>
        <Outlet />
      </main>
    </div>
  )
}
