// /reset-password: without a link from a mail it sends one, with one it sets the new password.
import { useEffect, useState } from 'react'
import { useGo } from '#screen/go.ts'
import { AskForm } from './reset/AskForm.tsx'
import { NewPassword } from './reset/NewPassword.tsx'
import { ResetFrame } from './reset/ResetFrame.tsx'

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
  if (kept !== undefined) return <NewPassword key={kept} token={kept} onAskAgain={() => setKept(undefined)} />
  return (
    <ResetFrame>
      <AskForm email={email} />
    </ResetFrame>
  )
}
