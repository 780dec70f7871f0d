// The page around what is filled in before one is signed in: the wave, the theme, the name that leads back.

import type { ReactNode } from 'react'
import { useGo } from '#screen/go.ts'
import { ThemeToggle } from '#screen/Top.tsx'
import { Mark } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { WAVE } from '#ui/wave.ts'
import css from './LoginFrame.module.css'

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

// Desktops: the wave comes in from the left and ends as a point on the edge of the card.

export function Inflow() {
  return (
    <svg className={css.InflowInflow} viewBox="0 0 884 560" width="884" height="560" aria-hidden="true">
      <path d={WAVE} fill="none" stroke="var(--chart-line)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="884" cy="165" r="18" fill="var(--brand)" opacity=".14" />
      <circle cx="884" cy="165" r="7" fill="var(--brand)" />
    </svg>
  )
}

// Phones: the one stroke that becomes a signal, above the form.

export function Wave() {
  return (
    <svg className={css.wave} viewBox="0 0 390 240" aria-hidden="true">
      <path
        d="M-10 168C40 168 48 96 104 96s62 96 122 96c52 0 66-70 88-124"
        fill="none"
        stroke="var(--chart-line)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <circle cx="320" cy="52" r="18" fill="var(--brand)" opacity=".14" />
      <circle cx="320" cy="52" r="7" fill="var(--brand)" />
    </svg>
  )
}
