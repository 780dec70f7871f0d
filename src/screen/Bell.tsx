// The bell: how many notifications are unread, and the way to them. In the desktop's bar and beside the phone's greeting.
import { useSnapshot } from 'valtio'
import { NAV } from '#text/spec.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { useGo } from './go.ts'
import { inbox } from './outbox.ts'

export function Bell() {
  const { unread } = useSnapshot(inbox)
  const { go } = useGo()
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
