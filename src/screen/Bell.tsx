// The bell: how many notifications are unread, and the way to them. In the desktop's bar and beside the phone's greeting.
import { useSnapshot } from 'valtio'
import { viewing } from '#state/app.ts'
import { NAV } from '#text/spec.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { useGo } from './go.ts'
import { inbox } from './outbox.ts'

export function Bell() {
  const { unread } = useSnapshot(inbox)
  const { member } = useSnapshot(viewing)
  const { go } = useGo()
  // what was told to a member is the member's
  if (member) return null
  return (
    <IconButton
      icon="bell"
      size={22}
      label={NAV.notifications}
      badge={unread}
      {...go('/signal-notification')}
    />
  )
}
