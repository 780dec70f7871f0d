// 新增策略: only with the permission, and only with a verified e-mail (spec §2, §5).
import { type ReactNode, useState } from 'react'
import { VERIFY_FIRST } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useGo } from './go.ts'
import { useMay, useProfile } from './profile.ts'

/** Hands out the props of the key that leads to /strategies/create; nothing without strategy:create. */
export function CreateStrategy({
  children,
}: {
  children: (props: { href: string; onClick: () => void }) => ReactNode
}) {
  const { open } = useGo()
  const { profile } = useProfile()
  const allowed = useMay('strategy:create')
  const [asking, setAsking] = useState(false)
  if (!allowed) return null
  const onClick = () => (profile && !profile.email_verified ? setAsking(true) : open('/strategies/create'))
  const close = () => setAsking(false)
  return (
    <>
      {children({ href: '/strategies/create', onClick })}
      <Dialog
        open={asking}
        onClose={close}
        title={VERIFY_FIRST.title}
        icon="mail"
        actions={
          <>
            <Button onClick={close}>稍後</Button>
            <Button
              kind="filled"
              firstFocus
              onClick={() => {
                close()
                open('/profile')
              }}
            >
              {VERIFY_FIRST.go}
            </Button>
          </>
        }
      >
        <p>{VERIFY_FIRST.text}</p>
      </Dialog>
    </>
  )
}
