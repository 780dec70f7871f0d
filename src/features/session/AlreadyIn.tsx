// A link arrives while somebody is signed in: nobody is moved to another account unasked.
import { useState } from 'react'
import { useData } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { useAskedProfile } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { safeReturnTo } from './return-to.ts'

export function AlreadyIn({
  ticket,
  return_to,
  path,
  onLeft,
}: {
  ticket: string
  return_to: string | undefined
  path: '/sso' | '/token-login'
  /** The first account is signed out. */
  onLeft: () => void
}) {
  const data = useData()
  const { open, go } = useGo()
  const { shown_name } = useAskedProfile()
  const [busy, setBusy] = useState(false)

  /** Signs out first and comes back with the ticket: everything of the first account has left the device by then. */
  async function change() {
    setBusy(true)
    await data.signOut()
    onLeft()
    // signing out leads to the landing page: back here
    open(`${path}?${new URLSearchParams({ ticket, ...(return_to && { returnTo: return_to }) })}`, true)
  }
  return (
    <Gate
      title="這個瀏覽器已經登入了"
      actions={
        <>
          <Button busy={busy} onClick={() => void change()}>
            改用這個連結登入
          </Button>
          <Button kind="filled" disabled={busy} {...go(safeReturnTo(return_to) ?? '/dashboard')}>
            繼續使用
          </Button>
        </>
      }
    >
      <p>
        {shown_name ? `目前以「${shown_name}」的身份登入。` : '目前已登入一個帳號。'}
        改用這個連結會先登出，存在這支裝置上的資料也會一起清除。
      </p>
    </Gate>
  )
}
