/* Beside the title of a list: on phones the connection and small keys, on desktops 手動訊號 in words. */
import type { ReactNode } from 'react'
import { proxy } from 'valtio'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Connection } from './Connection.tsx'
import { useGo } from './go.ts'
import { useManual } from './keys.ts'
import { useMay, useProfile } from './profile.ts'

/** `sends` there is a strategy to send for; `children`: more small keys of phones. */
export function ListActions({ sends, children }: { sends: boolean; children?: ReactNode }) {
  const manual = useManual()
  return (
    <>
      <div className="mob row gap4">
        <Connection short />
        {sends && <IconButton icon="send" label="手動訊號" size={22} large {...manual.to()} />}
        {children}
      </div>
      {sends && (
        <span className="desk">
          <Button icon="send" {...manual.to()}>
            手動訊號
          </Button>
        </span>
      )}
    </>
  )
}

// 新增策略: only with the permission, and only with a verified e-mail (spec §2, §5).

/** Hands out the props of the key that leads to /strategies/create; nothing without strategy:create. */
export function CreateStrategy({
  children,
}: {
  children: (props: { href: string; onClick: () => void }) => ReactNode
}) {
  const { allowed, create } = useCreate()
  return allowed ? children({ href: '/strategies/create', onClick: create }) : null
}

// The question before a first strategy: is the e-mail verified (spec §2, §5)? One dialog of the shell, asked from keys and pages.

/** Whether the question stands on the screen. */
export const verifyFirst = proxy({ asking: false })

/** `create()` leads to /strategies/create or asks for the e-mail first; `unverified` is false while the profile is not known. */
export function useCreate() {
  const { open } = useGo()
  const { profile } = useProfile()
  const allowed = useMay('strategy:create')
  const unverified = profile !== undefined && !profile.email_verified
  const create = () => {
    if (unverified) verifyFirst.asking = true
    else open('/strategies/create')
  }
  return { allowed, unverified, create }
}
