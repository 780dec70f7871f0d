// Signing out: everything leaves this device, then the landing page (spec §4, §2).
import { getData } from '#data/current.ts'
import { SIGNED_OUT } from '#text/spec.ts'
import { toast } from './toast.ts'

/** Never rejects. The way to / is `on_signed_out` of start.ts, which also serves the other tabs. */
export async function signOut(): Promise<void> {
  await getData().signOut()
  toast({ title: SIGNED_OUT, icon: 'check' })
}
