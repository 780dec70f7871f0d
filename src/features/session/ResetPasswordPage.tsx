// /reset-password: without a link from a mail it sends one, with one it sets the new password.
import { useEffect, useState } from 'react'
import { useGo } from '#screen/go.ts'
import { AskForm } from './reset/AskForm.tsx'
import { NewPassword } from './reset/NewPassword.tsx'
import { ResetFrame } from './reset/ResetFrame.tsx'
import { withReturnTo } from './return-to.ts'

/** All as they stand in the address. */
export function ResetPasswordPage({
  token,
  email = '',
  return_to,
}: {
  token: string | undefined
  email: string | undefined
  return_to: string | undefined
}) {
  const { open } = useGo()
  const [kept, setKept] = useState(token)
  // out of the address at once: it must not stand in the history, on a shared screen, or in a copied link
  useEffect(() => {
    if (token === undefined) return
    setKept(token)
    open(withReturnTo('/reset-password', return_to), true)
  }, [token, return_to, open])
  if (kept !== undefined)
    return <NewPassword key={kept} token={kept} return_to={return_to} onAskAgain={() => setKept(undefined)} />
  return (
    <ResetFrame return_to={return_to}>
      <AskForm email={email} return_to={return_to} />
    </ResetFrame>
  )
}
