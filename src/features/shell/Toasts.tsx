// Where toasts appear: at the bottom left on desktops, over the tabs on phones, there at the top while a dialog is open. Loaded with the first of them, and Mantine with it.
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useWide } from '#screen/browser.ts'
import { toastsStand } from '#screen/toast.ts'
import { clear, show } from '#screen/toaster.tsx'
import { placeOverAll } from '#ui/Modal.tsx'
import { MantineRoot } from '#ui/mantine/MantineRoot.tsx'
import css from './Toasts.module.css'

export function Toasts() {
  // on a phone one at a time, the next one when it goes: a pile would cover the page's keys
  const limit = useWide() ? 3 : 1
  useEffect(() => toastsStand({ show, clear }), [])
  return (
    <MantineRoot>
      <Notifications
        classNames={{ root: css.root ?? '' }}
        portalProps={{ target: placeOverAll(css.place ?? '') }}
        position="bottom-left"
        limit={limit}
        containerWidth={384}
        zIndex={60}
        notificationMaxHeight={240}
      />
    </MantineRoot>
  )
}
