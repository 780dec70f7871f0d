// /reset-password: without a link from a mail it sends one, with one it sets the new password.
import { useEffect, useState } from 'react'
import { useGo } from '#features/shell/go.ts'
import { opens } from '#ui/open.ts'
import { LoginFrame } from './LoginFrame.tsx'
import { AskForm } from './reset/AskForm.tsx'
import { NewPassword } from './reset/NewPassword.tsx'

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
    <LoginFrame>
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
    </LoginFrame>
  )
}
