// The frame of every step of a reset, with the way back.
import type { ReactNode } from 'react'
import { useGo } from '#screen/go.ts'
import { opens } from '#ui/open.ts'
import { LoginFrame } from '../LoginFrame.tsx'

export function ResetFrame({ children }: { children: ReactNode }) {
  const { open } = useGo()
  return (
    <LoginFrame>
      {children}
      <p className="login-note">
        <a className="login-link" href="/login" onClick={opens(() => open('/login'))}>
          回到登入
        </a>
      </p>
    </LoginFrame>
  )
}
