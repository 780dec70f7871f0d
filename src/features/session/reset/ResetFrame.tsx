// The frame of every step of a reset, with the way back.
import type { ReactNode } from 'react'
import { useGo } from '#screen/go.ts'
import { opens } from '#ui/open.ts'
import css from '../LoginFrame.module.css'
import { LoginFrame } from '../LoginFrame.tsx'

export function ResetFrame({ children }: { children: ReactNode }) {
  const { open } = useGo()
  return (
    <LoginFrame>
      {children}
      <p className={css.note}>
        <a className={css.link} href="/login" onClick={opens(() => open('/login'))}>
          回到登入
        </a>
      </p>
    </LoginFrame>
  )
}
