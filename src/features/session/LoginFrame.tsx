// The page around what is filled in before one is signed in: the wave, the theme, the name that leads back.
import type { ReactNode } from 'react'
import { useGo } from '#screen/go.ts'
import { ThemeToggle } from '#screen/Top.tsx'
import { Mark } from '#ui/Mark.tsx'
import { opens } from '#ui/open.ts'
import { Inflow } from './Inflow.tsx'
import css from './LoginFrame.module.css'
import { Wave } from './Wave.tsx'

export function LoginFrame({ children }: { children: ReactNode }) {
  const { open } = useGo()
  return (
    <main className={css.root}>
      <Wave />
      <div className={css.top}>
        <ThemeToggle />
      </div>
      <div className={css.box}>
        <Inflow />
        <a className={css.brand} href="/" onClick={opens(() => open('/'))} aria-label="凌波，回到介紹頁">
          <Mark size={30} />
          <span>凌波</span>
        </a>
        {children}
      </div>
    </main>
  )
}
