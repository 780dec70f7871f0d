// /reset-password: without a link from a mail it sends one, with one it sets the new password.
import { useEffect, useState } from 'react'
import { useGo } from '#features/shell/go.ts'
import { ThemeToggle } from '#features/shell/ThemeToggle.tsx'
import { Mark } from '#ui/Mark.tsx'
import { opens } from '#ui/open.ts'
import { Inflow } from './Inflow.tsx'
import './login.css'
import { AskForm } from './reset/AskForm.tsx'
import { NewPassword } from './reset/NewPassword.tsx'
import { Wave } from './Wave.tsx'

/** Both as they stand in the address. */
export function ResetPasswordPage({
  token,
  email = '',
}: {
  token: string | undefined
  email: string | undefined
}) {
  const { open } = useGo()
  const [kept, setKept] = useState(token)
  // out of the address at once: it must not stand in the history, on a shared screen, or in a copied link
  useEffect(() => {
    if (token === undefined) return
    setKept(token)
    open('/reset-password', true)
  }, [token, open])
  return (
    <main className="login">
      <Wave />
      <div className="login-top">
        <ThemeToggle />
      </div>
      <div className="login-box">
        <Inflow />
        <a className="login-brand" href="/" onClick={opens(() => open('/'))} aria-label="凌波，回到介紹頁">
          <Mark size={30} />
          <span>凌波</span>
        </a>
        {kept === undefined ? (
          <AskForm email={email} />
        ) : (
          <NewPassword key={kept} token={kept} onAskAgain={() => setKept(undefined)} />
        )}
        <p className="login-note">
          <a className="login-link" href="/login" onClick={opens(() => open('/login'))}>
            回到登入
          </a>
        </p>
      </div>
    </main>
  )
}
