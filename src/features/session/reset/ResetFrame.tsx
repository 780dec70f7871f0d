// The frame of every step of a reset, with the way back.
import type { ReactNode } from 'react'
import { useGo } from '#screen/go.ts'
import { opens } from '#ui/open.ts'
import css from '../LoginFrame.module.css'
import { LoginFrame } from '../LoginFrame.tsx'
import { withReturnTo } from '../return-to.ts'

export function ResetFrame({ return_to, children }: { return_to: string | undefined; children: ReactNode }) {
  const { open } = useGo()
  const href = withReturnTo('/login', return_to)
  return (
    <LoginFrame>
      {children}
      <p className={css.note}>
        <a className={css.link} href={href} onClick={opens(() => open(href))}>
          回到登入
        </a>
      </p>
    </LoginFrame>
  )
}
