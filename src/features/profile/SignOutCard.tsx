// Signing out: everything leaves this device.
import { useState } from 'react'
import { signOut } from '#screen/session.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'

export function SignOutCard() {
  const [busy, setBusy] = useState(false)
  return (
    <Card label={NAV.logout} pad>
      <div className="row gap12">
        <p className="sp t13 ink3">登出後，這支裝置上的訊號與設定會一併清除，其他裝置不受影響。</p>
        <Button
          icon="logout"
          busy={busy}
          onClick={() => {
            setBusy(true)
            void signOut().finally(() => setBusy(false))
          }}
        >
          {NAV.logout}
        </Button>
      </div>
    </Card>
  )
}
