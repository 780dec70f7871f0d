// Privacy mode as a switch: on covers the name (and, on later screens, the amounts), and says so.
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
import { PRIVACY } from '#text/spec.ts'
import { prefs } from './device.ts'
import { toast } from './toast.ts'

export function usePrivacy() {
  const { privacy } = useSnapshot(preferences)
  return {
    on: privacy,
    set: (on: boolean) => {
      prefs.set_privacy(on)
      toast({ title: on ? PRIVACY.on : PRIVACY.off, icon: 'info' })
    },
  }
}
