// 密碼: changed with the old one, or set for the first time by whoever signs in through another provider.
import { useId, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { PasswordForm } from './PasswordForm.tsx'

export function PasswordCard({ has_password }: { has_password: boolean }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const verb = has_password ? '變更密碼' : '設定密碼'
  return (
    <Card title="密碼" pad>
      <div className="row gap12">
        <p className="sp t13 ink3">
          {has_password
            ? '變更後，其他裝置會登出，這支裝置不受影響。'
            : '你用別的服務登入，還沒有密碼。設定後也能用電子郵件登入。'}
        </p>
        <Button size="s" icon="lock" onClick={() => setOpen(true)}>
          {verb}
        </Button>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        sticky
        title={verb}
        icon="lock"
        actions={
          <>
            <Button onClick={() => setOpen(false)}>取消</Button>
            <Button kind="filled" type="submit" form={id} busy={busy}>
              {verb}
            </Button>
          </>
        }
      >
        <PasswordForm id={id} has_password={has_password} onBusy={setBusy} onDone={() => setOpen(false)} />
      </Dialog>
    </Card>
  )
}
